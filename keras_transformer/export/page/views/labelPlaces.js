/** Places for the labels of points (keras_transformer.pictures.maps). */

const RADIUS = 6; // pixels around a point that labels leave free
const DISTANCES = [7, 14, 24, 36, 50]; // pixels from a point to its label
const DIRECTIONS = [
  [1, 0],
  [-1, 0],
  [0, -1],
  [0, 1],
  [1, -1],
  [-1, -1],
  [1, 1],
  [-1, 1],
];

/**
 * Return a place for each label that covers neither an earlier label nor any point.
 *
 * The places are tried in a fixed order, close to the point first.
 *
 * @param labels list of {x, y: its point, width, height}, in pixels.
 * @param points list of [x, y] that no label covers.
 * @param avoided list of [x, y] that labels cover only if there is no other room.
 * @param area {width, height}, which no label leaves.
 * @returns for each label {left, top, right, bottom}; null without room.
 */
export function placesOf(labels, points, avoided, area) {
  const obstacles = points.map(around);
  const weak = avoided.map(([x, y]) => ({ left: x, top: y, right: x, bottom: y }));
  return labels.map((label) => {
    const free = candidates(label, area).filter((place) => isFree(place, obstacles));
    const best = free.find((place) => isFree(place, weak)) ?? free[0] ?? null;
    if (best) {
      obstacles.push(best);
    }
    return best;
  });
}

function around([x, y]) {
  return { left: x - RADIUS, top: y - RADIUS, right: x + RADIUS, bottom: y + RADIUS };
}

/** Return the places where a label may be, the best first. */
function candidates({ x, y, width, height }, area) {
  const places = DISTANCES.flatMap((distance) =>
    DIRECTIONS.map(([right, down]) => {
      const step = distance / Math.hypot(right, down);
      const left = x + right * (width / 2 + step) - width / 2;
      const top = y + down * (height / 2 + step) - height / 2;
      return { left, top, right: left + width, bottom: top + height };
    }),
  );
  return places.filter(
    ({ left, top, right, bottom }) =>
      left >= 0 && top >= 0 && right <= area.width && bottom <= area.height,
  );
}

function isFree(place, obstacles) {
  return obstacles.every(
    (each) =>
      each.left >= place.right ||
      each.right <= place.left ||
      each.top >= place.bottom ||
      each.bottom <= place.top,
  );
}
