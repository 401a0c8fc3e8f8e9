/** What stands in a cell for what was not measured. */
const EMPTY = "–";

/** The columns that are shown: names that differ or are always there, and the groups that are asked for. */
function shownColumns(selection, runs) {
  return COLUMNS.filter(({ id, group, always }) => {
    if (group !== undefined) return selection.columns.includes(group);
    return always || (id === "run" ? runs.length > 1 : selection.axes[id].length > 1);
  });
}

/**
 * Makes the head of the table anew where its columns have changed, and says by what rows are sorted.
 * @param {Column[]} columns
 * @param {Selection} selection
 */
function showHead(columns, { sort }) {
  const head = byId("table").tHead;
  const ids = columns.map(({ id }) => id).join();
  if (head.dataset.columns !== ids) {
    head.dataset.columns = ids;
    const cells = columns.map(({ id, name, number }) => {
      const button = element("button", { type: "button", "data-sort": id, "aria-describedby": `means-${id}` }, name);
      return element("th", { scope: "col", class: number ? "number" : "" }, button);
    });
    head.replaceChildren(element("tr", {}, ...cells));
    const meanings = columns.flatMap(({ id, name, meaning }) => [
      element("dt", {}, name),
      element("dd", { id: `means-${id}` }, meaning),
    ]);
    byId("meaning").replaceChildren(...meanings);
  }
  for (const button of head.querySelectorAll("button")) {
    const direction = sort?.descending ? "descending" : "ascending";
    button.parentElement.setAttribute("aria-sort", button.dataset.sort === sort?.column ? direction : "none");
  }
}

/**
 * @param {Row[]} rows in their order
 * @param {Column[]} columns
 */
function showRows(rows, columns) {
  byId("table").tBodies[0].replaceChildren(...rows.map((row) => tableRow(row, columns)));
}

/** @param {Row} row @param {Column[]} columns */
function tableRow({ state, cells }, columns) {
  // The reason of a failure takes the place of all that was not measured.
  const named = state === null ? columns : columns.filter(({ group }) => group === undefined);
  const made = named.map((column, index) => cell(cells[column.id], column, index === 0));
  const missing = columns.length - named.length;
  if (missing > 0) made.push(element("td", { class: "failed", colspan: String(missing) }, state));
  // Where no such columns are shown the name's cell has it.
  else if (state !== null) made[0].append(` (${state})`);
  return element("tr", {}, ...made);
}

/** @param {string} text @param {Column} column @param {boolean} first */
function cell(text, { number }, first) {
  if (first) return element("th", { scope: "row" }, text);
  const [, tone, arrow] = DATA.verdicts.find(([verdict]) => verdict === text) ?? [null, "", ""];
  const classes = [number ? "number" : "", text === "" ? "empty" : "", tone];
  return element("td", { class: classes.filter(Boolean).join(" ") }, text === "" ? EMPTY : arrow + text);
}

/**
 * What the next sorting is after the button of `column` was used: up, down, as it was.
 * @param {Selection} selection
 * @param {string} column
 */
function sortedNext({ sort }, column) {
  if (sort?.column !== column) return { column, descending: false };
  return sort.descending ? null : { column, descending: true };
}
