/** What stands in a cell for what was not measured. */
const EMPTY = "–";

/** The classes of verdicts. */
const TONES = { slower: "slow", faster: "fast", "no difference found": "none" };
/** Beside the words: arrows, so that rows can be skimmed without telling colours apart. */
const ARROWS = { slower: "▲ ", faster: "▼ ", "no difference found": "" };

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
    showMeanings(columns);
  }
  for (const button of head.querySelectorAll("button")) {
    const direction = sort?.descending ? "descending" : "ascending";
    button.parentElement.setAttribute("aria-sort", button.dataset.sort === sort?.column ? direction : "none");
  }
}

/** What the columns mean, a line each. */
function showMeanings(columns) {
  const lines = columns.flatMap(({ id, name, meaning }) => [
    element("dt", {}, name),
    element("dd", { id: `means-${id}` }, meaning),
  ]);
  byId("meaning").replaceChildren(...lines);
}

/**
 * @param {Row[]} rows in their order
 * @param {Column[]} columns
 */
function showRows(rows, columns) {
  byId("table").tBodies[0].replaceChildren(...rows.map((row) => tableRow(row, columns)));
}

/** @param {Row} row @param {Column[]} columns */
function tableRow(row, columns) {
  // The reason of a failure takes the place of all that was not measured.
  const named = row.failed === null ? columns : columns.filter(({ group }) => group === null);
  const cells = named.map((column, index) => cell(row, column, index === 0));
  const missing = columns.length - named.length;
  if (row.failed !== null) {
    const span = missing > 0 ? { colspan: String(missing) } : {};
    const reason = element("td", { class: "failed", ...span }, `failed: ${row.failed}`);
    // Where no such columns are shown the name's cell has it.
    if (missing > 0) cells.push(reason);
    else cells[0].append(` (failed: ${row.failed})`);
  }
  return element("tr", {}, ...cells);
}

/** @param {Row} row @param {Column} column @param {boolean} first */
function cell(row, column, first) {
  const text = column.text(row);
  if (first) return element("th", { scope: "row" }, text);
  const classes = [column.number ? "number" : "", text === "" ? "empty" : "", column.tone ? (TONES[text] ?? "") : ""];
  const shown = column.tone ? (ARROWS[text] ?? "") + text : text;
  return element("td", { class: classes.filter(Boolean).join(" ") }, shown || EMPTY);
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
