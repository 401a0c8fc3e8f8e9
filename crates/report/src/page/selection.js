/**
 * One case of one run: a row of the table.
 * @typedef {object} Row
 * @property {Run} run where it was measured
 * @property {string} backend
 * @property {?string} state why it has no numbers
 * @property {Object<string, string>} cells the text of each column, by its id; empty where there is none
 */

/**
 * What is shown. Lists are in the order of the data.
 * @typedef {object} Selection
 * @property {string[]} runs one or two ids
 * @property {string} show the id of a chart
 * @property {string[]} columns groups of columns
 * @property {Object<string, string[]>} axes chosen values by axis
 * @property {string[]} backends
 * @property {?{column: string, descending: boolean}} sort none: the order of the data
 */

/** @param {string} id @returns {HTMLElement} */
const byId = (id) => document.getElementById(id);

/** What is embedded in the page: columns, charts and words, and what `data.rs` writes: axes and runs. */
const DATA = { ...JSON.parse(byId("words").textContent), ...JSON.parse(byId("data").textContent) };
const AXES = DATA.axes.map(({ id }) => id);
const CHARTS = new Map(DATA.charts.map((chart) => [chart.id, chart]));

/** All columns: names, which are shown always or where they differ, then what was measured, in groups. */
const COLUMNS = [
  { id: "backend", name: "Backend", meaning: "One way to write to LMDB: a binding, raw FFI, or a way of handing over buffers.", always: true },
  { id: "run", name: "Machine", meaning: "Where and when it was measured, and how the engines were compiled." },
  ...DATA.axes,
  ...DATA.columns,
];

/** @type {Run[]} */
const RUNS = DATA.runs.map((packed) => {
  const run = { ...packed, backends: packed.backends.map(([name, control, about]) => ({ name, control, about })) };
  run.rows = packed.rows.map(([backend, workload, state, texts]) => {
    const cells = { backend: run.backends[backend].name, run: run.title };
    AXES.forEach((axis, index) => { cells[axis] = String(DATA.workloads[workload][index]); });
    DATA.columns.forEach(({ id }, index) => { cells[id] = texts[index]; });
    return { run, backend: cells.backend, state, cells };
  });
  return run;
});

/** The numbers in a text, in the unit that follows the last of them. */
function numbers(text) {
  const unit = DATA.units[text.split(" ").at(-1)] ?? 1;
  return (text.match(/\d+(\.\d+)?/g) ?? []).map((number) => Number(number) * unit);
}

/** Each value once, numbers by size, others in the order in which they come. */
function distinct(values) {
  const found = [...new Set(values)];
  return found.every((value) => /^\d+$/.test(value)) ? found.sort((a, b) => a - b) : found;
}

/** What can be chosen in `runs`: values of every axis, backends. */
function choices(runs) {
  const rows = runs.flatMap((run) => run.rows);
  const axes = Object.fromEntries(AXES.map((axis) => [axis, distinct(rows.map(({ cells }) => cells[axis]))]));
  return { axes, backends: distinct(runs.flatMap((run) => run.backends.map(({ name }) => name))) };
}

/**
 * What is shown of `runs` before anything is chosen: what the first chart can draw, of some axes one value.
 * @param {Run[]} runs
 * @returns {Selection}
 */
function initial(runs) {
  const [first] = DATA.charts;
  const rows = runs.flatMap((run) => run.rows);
  const drawn = rows.filter(({ cells }) => cells[first.value] !== "");
  const used = drawn.length > 0 ? drawn : rows;
  const { axes } = choices([{ rows: used, backends: [] }]);
  for (const { id, only } of DATA.axes) {
    if (only === null) continue;
    const values = axes[id];
    const middle = Math.floor((values.length - 1) / 2);
    axes[id] = values.includes(String(only)) ? [String(only)] : values.slice(middle, middle + 1);
  }
  const present = new Set(used.map(({ backend }) => backend));
  return {
    runs: runs.map(({ id }) => id),
    show: first.id,
    columns: DATA.groups.slice(0, 2).map(([id]) => id),
    axes,
    backends: choices(runs).backends.filter((name) => present.has(name)),
    sort: null,
  };
}

/**
 * The text that stands for a selection in the page's address.
 * @param {Selection} selection
 */
function written(selection) {
  const [run, beside] = selection.runs;
  const parts = [["run", run]];
  if (beside !== undefined) parts.push(["beside", beside]);
  parts.push(["show", selection.show], ["columns", selection.columns.join()]);
  for (const axis of AXES) parts.push([axis, selection.axes[axis].join()]);
  parts.push(["backend", selection.backends.join()]);
  const { sort } = selection;
  if (sort !== null) parts.push(["sort", (sort.descending ? "-" : "") + sort.column]);
  // A slash, a comma and an at sign may stand in a fragment as they are, which is easier to read.
  const plain = (text) => encodeURIComponent(text).replace(/%2F/g, "/").replace(/%2C/g, ",").replace(/%40/g, "@");
  return parts.map(([name, value]) => `${name}=${plain(value)}`).join("&");
}

/**
 * The selection that `text`, the address behind its `#`, stands for. What is not known is left out and
 * named in `ignored`; what is not said is as at first.
 * @param {string} text
 * @returns {{selection: Selection, ignored: string[]}}
 */
function read(text) {
  const said = new URLSearchParams(text);
  const ignored = [];
  const known = ["run", "beside", "show", "columns", "backend", "sort", ...AXES];
  for (const name of distinct(said.keys())) if (!known.includes(name)) ignored.push(name);

  /** The one of `options` that is said for `name`. */
  const one = (name, options, otherwise) => {
    const value = said.get(name);
    if (value === null || options.includes(value)) return value ?? otherwise;
    ignored.push(`${name}=${value}`);
    return otherwise;
  };
  /** Those of `options` that are said for `name`; saying none is a choice, saying only unknown ones is not. */
  const several = (name, options, otherwise) => {
    const value = said.get(name);
    if (value === null) return otherwise;
    if (value === "") return [];
    const values = value.split(",");
    for (const other of values) if (!options.includes(other)) ignored.push(`${name}=${other}`);
    const chosen = options.filter((option) => values.includes(option));
    return chosen.length > 0 ? chosen : otherwise;
  };

  const ids = RUNS.map(({ id }) => id);
  const chosen = distinct([one("run", ids, DATA.first), one("beside", ids, undefined)]);
  const runs = chosen.filter((id) => id !== undefined).map((id) => RUNS.find((run) => run.id === id));
  const selection = initial(runs);
  const options = choices(runs);
  selection.show = one("show", [...CHARTS.keys()], selection.show);
  selection.columns = several("columns", DATA.groups.map(([id]) => id), selection.columns);
  for (const axis of AXES) selection.axes[axis] = several(axis, options.axes[axis], selection.axes[axis]);
  selection.backends = several("backend", options.backends, selection.backends);
  const sorted = said.get("sort");
  if (sorted !== null) {
    const column = sorted.replace(/^-/, "");
    if (COLUMNS.some(({ id }) => id === column)) selection.sort = { column, descending: sorted.startsWith("-") };
    else ignored.push(`sort=${sorted}`);
  }
  return { selection, ignored };
}

/**
 * `selection` with other runs: what they have too stays chosen.
 * @param {Selection} selection
 * @param {Run[]} runs
 * @returns {Selection}
 */
function moved(selection, runs) {
  const start = initial(runs);
  const options = choices(runs);
  const kept = (chosen, offered, otherwise) => {
    const both = offered.filter((value) => chosen.includes(value));
    return both.length > 0 ? both : otherwise;
  };
  const axes = {};
  for (const axis of AXES) axes[axis] = kept(selection.axes[axis], options.axes[axis], start.axes[axis]);
  const backends = kept(selection.backends, options.backends, start.backends);
  return { ...selection, runs: start.runs, axes, backends };
}

/**
 * The rows that a selection shows, in the order of the data; those of two runs on the same case stand one
 * after the other.
 * @param {Selection} selection
 * @param {Run[]} runs the chosen ones
 * @returns {Row[]}
 */
function chosenRows(selection, runs) {
  const shown = ({ backend, cells }) =>
    selection.backends.includes(backend) && AXES.every((axis) => selection.axes[axis].includes(cells[axis]));
  const cases = new Map();
  for (const row of runs.flatMap((run) => run.rows.filter(shown))) {
    const name = [row.backend, ...AXES.map((axis) => row.cells[axis])].join();
    cases.set(name, [...(cases.get(name) ?? []), row]);
  }
  return [...cases.values()].flat();
}

/**
 * `rows` in the order that is asked for; where there is nothing to compare, as they were, at the end.
 * @param {Row[]} rows
 * @param {Selection} selection
 */
function sorted(rows, { sort }) {
  if (sort === null) return rows;
  const group = COLUMNS.find(({ id }) => id === sort.column).group;
  const key = ({ state, cells }) => {
    const text = cells[sort.column];
    // A case without numbers shows its reason where these columns are.
    if (text === "" || (state !== null && group !== undefined)) return null;
    return /^\d/.test(text) ? numbers(text)[0] : text;
  };
  const keyed = rows.map((row) => [key(row), row]);
  const present = keyed.filter(([value]) => value !== null);
  present.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0) * (sort.descending ? -1 : 1));
  return [...present, ...keyed.filter(([value]) => value === null)].map(([, row]) => row);
}
