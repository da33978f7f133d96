/** Points that move: an arrow for each subword, from before to after its position is added. */

import { element, redraw } from "../interface/dom.js";
import { shown } from "../interface/labels.js";
import { percent } from "../interface/numbers.js";
import { picture, svg, textWidth } from "../interface/svg.js";
import { placesOf } from "./labelPlaces.js";

// In pixels.
const [NARROWEST, WIDEST] = [480, 680]; // if there is room
const HIGHEST = 480;
const [BESIDE, ABOVE] = [56, 28]; // margins around the points, for labels
const LOWEST = 0.8; // height of a map, as a share of its width
const [FONT_SIZE, LINE] = [13, 16]; // of labels
const LEADER = 10; // labels farther from their point get a line to it
const STEPS = 12; // along an arrow, which labels avoid
const HEAD = 7; // of an arrow
const REACH = 30; // how far from a point the mouse or a finger may be
const SUBSCRIPTS = "₀₁₂₃₄₅₆₇₈₉";

export class Movements {
  #marks = []; // the elements of each subword
  #answer = null;
  #room = 0; // pixels, for which the arrows are drawn

  /** @param onchoose function of the position of the subword that the reader chooses. */
  constructor(onchoose) {
    this.onchoose = onchoose;
    this.drawing = element("div", {});
    this.note = element("p", { class: "quiet" });
    this.element = element("div", { class: "movements" }, this.drawing, this.note);
  }

  /**
   * Draw the arrows.
   *
   * @param answer of the request `embedded`. If it and the width are the same as before, only the
   *     highlight changes.
   * @param ids of the subwords.
   * @param position of the subword that is highlighted.
   */
  update(answer, ids, position) {
    const room = this.element.clientWidth || WIDEST;
    if (answer !== this.#answer || room !== this.#room) {
      [this.#answer, this.#room] = [answer, room];
      this.#draw(answer, ids);
    }
    this.#marks.forEach(({ group, label }, i) => {
      group.classList.toggle("current", i === position);
      label?.classList.toggle("current", i === position);
    });
    const current = this.#marks[position];
    if (current) {
      current.group.parentNode.append(current.group); // on top of the others
      current.label.parentNode.append(current.label);
    }
  }

  #draw({ labels, before, after, variance }, ids) {
    const area = areaOf([...before, ...after], this.#room);
    const [starts, ends] = [before.map(area.place), after.map(area.place)];
    const groups = ids.map((id, i) => arrow(starts[i], ends[i], isRepeated(id, ids)));
    const placed = placedLabels(namedPoints(labels, ids, starts, ends), starts, ends, area);
    this.#marks = groups.map((group, i) => ({ group, label: placed[i].mark }));
    const name = `${labels.length} subwords before and after their positions are added`;
    const marks = placed.map(({ mark }) => mark);
    const layers = [svg("g", {}, groups), svg("g", {}, marks)];
    const map = picture(name, area.width, area.height, ...layers);
    map.addEventListener("click", (event) => this.#choose(event, map, starts, ends));
    redraw(this.drawing, map);
    this.note.textContent = noteOf(variance, placed.filter(({ isMissing }) => isMissing).length);
  }

  #choose({ clientX, clientY }, map, starts, ends) {
    const { x, y, width } = map.getBoundingClientRect();
    const scale = map.viewBox.baseVal.width / width;
    const [toX, toY] = [(clientX - x) * scale, (clientY - y) * scale];
    const distances = ends.map((end, i) =>
      Math.min(...[end, starts[i]].map((point) => Math.hypot(point[0] - toX, point[1] - toY))),
    );
    const nearest = Math.min(...distances);
    if (nearest <= REACH) {
      this.onchoose(distances.indexOf(nearest));
    }
  }
}

function isRepeated(id, ids) {
  return ids.indexOf(id) !== ids.lastIndexOf(id);
}

/**
 * Return the points to label, as a list of {text, point}: the end of each arrow, and then the
 * beginnings of the arrows of subwords that occur repeatedly.
 */
function namedPoints(labels, ids, starts, ends) {
  const texts = labels.map(shown);
  const repeated = ids.flatMap((id, i) => {
    return isRepeated(id, ids) && ids.indexOf(id) === i
      ? [{ text: texts[i], point: starts[i] }]
      : [];
  });
  return [...texts.map((text, i) => ({ text: text + subscript(i), point: ends[i] })), ...repeated];
}

/** Return the size of a map of points, and the function that places a point on it. */
function areaOf(points, room) {
  const [xs, ys] = [0, 1].map((axis) => points.map((point) => point[axis]));
  const [x, y] = [xs, ys].map((values) => ({
    middle: (Math.min(...values) + Math.max(...values)) / 2,
    range: Math.max(...values) - Math.min(...values) || 1,
  }));
  const widest = Math.min(room, WIDEST);
  // Both axes have the same scale.
  const scale = Math.min((widest - 2 * BESIDE) / x.range, (HIGHEST - 2 * ABOVE) / y.range);
  const width = Math.max(x.range * scale + 2 * BESIDE, Math.min(room, NARROWEST));
  const height = Math.max(y.range * scale + 2 * ABOVE, LOWEST * Math.min(room, NARROWEST));
  const place = ([left, up]) => [
    width / 2 + (left - x.middle) * scale,
    height / 2 - (up - y.middle) * scale,
  ];
  return { width, height, place };
}

/** Return the arrow of a subword, with a circle where it begins and a dot where it ends. */
function arrow(start, end, isOneOfMany) {
  const [x, y] = end;
  const angle = Math.atan2(y - start[1], x - start[0]);
  const corner = (turn) =>
    `${x - HEAD * Math.cos(angle + turn)},${y - HEAD * Math.sin(angle + turn)}`;
  return svg(
    "g",
    { class: isOneOfMany ? "arrow repeated" : "arrow" },
    svg("path", { d: `M${start}L${end}M${corner(0.45)}L${end}L${corner(-0.45)}` }),
    svg("circle", { class: "before", cx: start[0], cy: start[1], r: 3.5 }),
    svg("circle", { class: "after", cx: x, cy: y, r: 3 }),
  );
}

/** Return {mark: the label of a point, isMissing: whether there is no room for it} for each. */
function placedLabels(named, starts, ends, area) {
  const font = `${FONT_SIZE}px ${getComputedStyle(document.body).fontFamily}`;
  const labels = named.map(({ text, point: [x, y] }) => {
    return { x, y, width: textWidth([text], font) + 4, height: LINE };
  });
  const along = starts.flatMap(([x, y], i) =>
    Array.from({ length: STEPS }, (_, step) => {
      const share = step / STEPS;
      return [x + (ends[i][0] - x) * share, y + (ends[i][1] - y) * share];
    }),
  );
  const places = placesOf(labels, [...starts, ...ends], along, area);
  return named.map((each, i) => ({
    mark: labelMark(each, places[i] ?? beside(labels[i], area), places[i] === null),
    isMissing: places[i] === null,
  }));
}

/** Return the place of a label that has no room: it is shown only while it is highlighted. */
function beside({ x, y, width, height }, area) {
  const left = x + 8 + width > area.width ? x - 8 - width : x + 8;
  return { left, top: y - height / 2, right: left + width, bottom: y + height / 2 };
}

function labelMark({ text, point: [x, y] }, { left, top, right, bottom }, isMissing) {
  const [nearX, nearY] = [clamp(x, left, right), clamp(y, top, bottom)];
  const isFar = Math.hypot(nearX - x, nearY - y) > LEADER;
  const middle = { x: (left + right) / 2, y: (top + bottom) / 2 };
  return svg(
    "g",
    { class: isMissing ? "point-label missing" : "point-label" },
    isFar && svg("path", { class: "leader", d: `M${x},${y}L${nearX},${nearY}` }),
    svg("text", middle, text),
  );
}

function clamp(value, least, most) {
  return Math.min(Math.max(value, least), most);
}

function subscript(number) {
  return [...String(number)].map((digit) => SUBSCRIPTS[digit]).join("");
}

function noteOf(variance, missing) {
  const [first, second] = variance.map(percent);
  const axes =
    `Right and up are the first and second principal components, with ${first} and ${second} of ` +
    "the variance.";
  const labels = missing === 1 ? "1 label has" : `${missing} labels have`;
  return missing ? `${axes} ${labels} no room: choose a position to see its label.` : axes;
}
