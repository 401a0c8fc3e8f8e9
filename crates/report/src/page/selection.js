/**
 * What is shown. Lists are in the order of the data.
 * @typedef {object} Selection
 * @property {string[]} runs one or two ids
 * @property {string} show what the chart shows
 * @property {string[]} columns groups of columns
 * @property {Object<string, string[]>} axes chosen values by axis
 * @property {string[]} backends
 * @property {?{column: string, descending: boolean}} sort none: the order of the data
 */

/** Groups of columns that can be shown. */
const GROUPS = { time: "time", overhead: "overhead", relative: "against raw-ffi", counts: "counts" };

/** What the chart can show. */
const MEASURES = {
  overhead: "binding overhead",
  relative: "binding and engine, against raw-ffi",
  time: "mean time per put",
  instructions: "instructions per put",
};

/** Each value once, numbers by size, others in the order in which they come. */
function distinct(values) {
  const found = [...new Set(values)];
  return typeof found[0] === "number" ? found.sort((a, b) => a - b) : found;
}

/**
 * What can be chosen in `runs`: values of every axis, backends.
 * @param {Run[]} runs
 */
function choices(runs) {
  const rows = runs.flatMap((run) => run.rows);
  const axes = {};
  for (const axis of AXES) axes[axis] = distinct(rows.map((row) => row[axis])).map(String);
  return { axes, backends: distinct(runs.flatMap((run) => run.backends.map(({ name }) => name))) };
}

/**
 * What is shown of `runs` before anything is chosen: what was timed, one value size, the bindings.
 * @param {Run[]} runs
 * @returns {Selection}
 */
function initial(runs) {
  const rows = runs.flatMap((run) => run.rows);
  const timed = rows.filter((row) => row.time !== null || row.failed !== null);
  const axes = choices([{ rows: timed.length > 0 ? timed : rows, backends: [] }]).axes;
  const sizes = axes.value;
  axes.value = sizes.includes("64") ? ["64"] : sizes.slice((sizes.length - 1) / 2, (sizes.length + 1) / 2);
  const all = choices(runs).backends;
  const bound = new Set(
    runs.flatMap((run) => run.backends.filter(({ control }) => control !== null).map(({ name }) => name)),
  );
  return {
    runs: runs.map(({ id }) => id),
    show: "overhead",
    columns: ["time", "overhead"],
    axes,
    backends: bound.size > 0 ? all.filter((name) => bound.has(name)) : all,
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
 * @param {Run[]} all
 * @param {string} standard the id of the run that is shown at first
 * @returns {{selection: Selection, ignored: string[]}}
 */
function read(text, all, standard) {
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
    for (const it of values) if (!options.includes(it)) ignored.push(`${name}=${it}`);
    const chosen = options.filter((option) => values.includes(option));
    return chosen.length > 0 ? chosen : otherwise;
  };

  const ids = all.map(({ id }) => id);
  const first = one("run", ids, standard);
  const second = one("beside", ids, undefined);
  const chosen = distinct([first, second]).filter((id) => id !== undefined);
  const runs = chosen.map((id) => all.find((run) => run.id === id));
  const selection = initial(runs);
  const options = choices(runs);
  selection.show = one("show", Object.keys(MEASURES), selection.show);
  selection.columns = several("columns", Object.keys(GROUPS), selection.columns);
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
  const shown = (row) =>
    selection.backends.includes(row.backend) &&
    AXES.every((axis) => selection.axes[axis].includes(String(row[axis])));
  const cases = new Map();
  for (const row of runs.flatMap((run) => run.rows.filter(shown))) {
    const name = [row.backend, ...AXES.map((axis) => row[axis])].join();
    cases.set(name, [...(cases.get(name) ?? []), row]);
  }
  return [...cases.values()].flat();
}
