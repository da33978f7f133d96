/** Elements of pictures. */

import { filled } from "./dom.js";

const NAMESPACE = "http://www.w3.org/2000/svg";

/** Return a new SVG element; see `element` of dom.js. */
export function svg(name, attributes = {}, ...children) {
  return filled(document.createElementNS(NAMESPACE, name), attributes, children);
}

/**
 * Return a picture, which screen readers announce as an image with a name.
 *
 * @param name what the picture shows.
 * @param width, height in CSS pixels.
 * @param children SVG elements.
 */
export function picture(name, width, height, ...children) {
  const viewBox = `0 0 ${width} ${height}`;
  return svg("svg", { role: "img", "aria-label": name, width, height, viewBox }, ...children);
}

/** Return the path data of a curve from (x, y) to (toX, toY) that is horizontal at both ends. */
export function curve(x, y, toX, toY) {
  const middle = (x + toX) / 2;
  return `M${x},${y}C${middle},${y} ${middle},${toY} ${toX},${toY}`;
}

const context = document.createElement("canvas").getContext("2d");

/** Return the width of the widest of some texts, in CSS pixels, in a CSS font ("12px sans"). */
export function textWidth(texts, font) {
  context.font = font;
  return Math.max(0, ...texts.map((text) => context.measureText(text).width));
}
