/** The numbers of a picture as a table. */

import { element, redraw } from "./dom.js";

/**
 * Return the numbers of a picture as a table, which the reader can open.
 *
 * @returns {element, update(table)}, where table is {caption, corner: what the rows are, rows and
 *     columns: labels, cell: function (row, column) that returns a text}.
 */
export function pictureTable() {
  const content = element("div", { class: "scrolling", tabindex: "0" });
  const details = element(
    "details",
    { class: "table" },
    element("summary", {}, "As a table"),
    content,
  );
  let table = null;
  const draw = () => details.open && table && redraw(content, tableOf(table));
  details.addEventListener("toggle", draw);
  return {
    element: details,
    update(newTable) {
      table = newTable;
      content.setAttribute("role", "region"); // only now, since a region must have a name
      content.setAttribute("aria-label", table.caption);
      draw();
    },
  };
}

function tableOf({ caption, corner, rows, columns, cell }) {
  const heading = (scope, label) => element("th", { scope }, label);
  const head = element(
    "tr",
    {},
    heading("col", corner),
    columns.map((each) => heading("col", each)),
  );
  const body = rows.map((label, row) =>
    element(
      "tr",
      {},
      heading("row", label),
      columns.map((_, column) => element("td", {}, cell(row, column))),
    ),
  );
  return element(
    "table",
    {},
    element("caption", {}, caption),
    element("thead", {}, head),
    element("tbody", {}, body),
  );
}
