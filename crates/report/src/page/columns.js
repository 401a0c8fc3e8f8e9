/**
 * A column of the table.
 * @typedef {object} Column
 * @property {string} id also in the page's address
 * @property {string} name
 * @property {?string} group with which it is shown; none: always, or where its values differ
 * @property {boolean} number whether it is aligned as a number
 * @property {string} meaning in one line
 * @property {(row: Row) => (number|string|null)} key what rows are sorted by; `null` stands last
 * @property {(row: Row) => string} text of the cell
 * @property {string} [tone] class of the cell by its text
 */

/** A time with four digits in the unit that suits `model`, as the Markdown tables have it. */
function time(nanoseconds, model = nanoseconds) {
  const units = [[1e9, "s"], [1e6, "ms"], [1e3, "μs"], [1, "ns"]];
  const [scale, unit] = units.find(([size]) => Math.abs(model) >= size * 0.9995) ?? units[3];
  const whole = Math.abs(model / scale);
  const decimals = whole >= 99.995 ? 1 : whole >= 9.9995 ? 2 : 3;
  return `${(nanoseconds / scale).toFixed(decimals)} ${unit}`;
}

/** A count without decimals that say nothing. */
function count(number) {
  return String(Number(number.toFixed(number >= 100 ? 0 : 2)));
}

/** @returns {Column} */
function column(id, name, group, key, text, meaning, number = true) {
  return { id, name, group, number, meaning, key, text: (row) => (key(row) === null ? "" : text(row)) };
}

/** The columns that a ratio has. */
function ratioColumns(id, name, group, of, meaning) {
  const part = (pick) => (row) => (of(row) === null ? null : pick(of(row)));
  const interval = (row) => `${of(row).low.toFixed(3)} to ${of(row).high.toFixed(3)}`;
  const verdict = part((it) => it.verdict);
  return [
    column(id, name, group, part((it) => it.estimate), (row) => of(row).estimate.toFixed(3), meaning),
    column(`${id}-interval`, "Interval", group, part((it) => it.low), interval,
      `Interval of ${name.toLowerCase()} over launches, at the run's confidence; sorted by its lower end.`, false),
    {
      ...column(`${id}-verdict`, "Verdict", group, verdict, verdict,
        "Whether that is a difference at all, all comparisons of the run and the noise floor taken into account.", false),
      tone: true,
    },
  ];
}

const perPut = (row) => (row.instructions === null ? null : row.instructions.all / row.batch);
const ofTime = (name) => (row) => row.time?.[name] ?? null;
const timeText = (name) => (row) => time(row.time[name], row.time.mean);
const ofOthers = (name) => (row) => row.others[name];
const runName = ({ run }) => `${run.host} ${run.date}, ${run.engines}`;

/** @type {Column[]} */
const COLUMNS = [
  column("backend", "Backend", null, (row) => row.backend, (row) => row.backend,
    "One way to write to LMDB: a binding, raw FFI, or a way of handing over buffers.", false),
  column("run", "Machine", null, runName, runName, "Where and when it was measured, and how the engines were compiled.", false),
  column("finish", "Finish", null, (row) => row.finish, (row) => row.finish,
    "How the transaction ends. An aborted one shows the cost of the calls alone.", false),
  column("sync", "Sync", null, (row) => row.sync, (row) => row.sync,
    "What a commit waits for: nosync waits for nothing, sync for the disk.", false),
  column("order", "Keys", null, (row) => row.order, (row) => row.order, "The order in which keys are written.", false),
  column("key", "KeySize", null, (row) => row.key, (row) => String(row.key), "Bytes per key."),
  column("batch", "BatchSize", null, (row) => row.batch, (row) => String(row.batch), "Puts per transaction."),
  column("value", "WriteSize", null, (row) => row.value, (row) => String(row.value), "Bytes per value."),
  column("mean", "Mean", "time", ofTime("mean"), timeText("mean"), "Mean time of a transaction with all its puts, over launches."),
  column("error", "Error", "time", ofTime("error"), timeText("error"), "Half of the 99.9 % interval of the mean."),
  column("deviation", "StdDev", "time", ofTime("deviation"), timeText("deviation"), "Standard deviation of launches."),
  column("median", "Median", "time", ofTime("median"), timeText("median"), "Median of launches."),
  ...ratioColumns("overhead", "Overhead", "overhead", (row) => row.overhead,
    "The binding's share: time over that of raw FFI on the same LMDB. 1.03 means 3 % longer."),
  column("floor", "Noise floor", "overhead", (row) => row.floor?.high ?? null,
    (row) => `± ${((row.floor.high - 1) * 100).toFixed(1)} %`,
    "How far apart two equal workers may seem on this workload; a difference inside it is not claimed."),
  ...ratioColumns("relative", "Relative", "relative", (row) => row.relative,
    "What a user sees: time over that of raw-ffi, binding and engine together. For a control it is the engine's effect."),
  column("instructions", "Instr/put", "counts", perPut, (row) => count(perPut(row)),
    "Instructions outside the kernel per put, begin and finish shared among the puts; as counted by valgrind."),
  column("allocations", "Allocs", "counts", ofOthers("allocations"), (row) => count(row.others.allocations),
    "Rust heap allocations per transaction."),
  column("bytes", "Bytes", "counts", ofOthers("bytes"), (row) => count(row.others.bytes), "Bytes that these ask for."),
  column("calls", "Syscalls", "counts", ofOthers("calls"), (row) => count(row.others.calls), "System calls per transaction; commits only."),
];

/**
 * The columns for `runs`: axes of which more than one value is chosen, and the groups that are asked for.
 * @param {Selection} selection
 * @param {Run[]} runs
 */
function shownColumns(selection, runs) {
  const always = ["backend", "finish", "batch", "value"];
  return COLUMNS.filter(({ id, group }) => {
    if (group !== null) return selection.columns.includes(group);
    if (id === "run") return runs.length > 1;
    return always.includes(id) || selection.axes[id].length > 1;
  });
}

/**
 * `rows` in the order that is asked for; where there is nothing to compare, as they were, at the end.
 * @param {Row[]} rows
 * @param {Selection} selection
 */
function sorted(rows, { sort }) {
  if (sort === null) return rows;
  const { key: any, group } = COLUMNS.find(({ id }) => id === sort.column);
  // A failed case shows its reason where these columns are.
  const key = (row) => (row.failed !== null && group !== null ? null : any(row));
  const compare = (a, b) => (typeof a === "number" ? a - b : a < b ? -1 : a > b ? 1 : 0);
  const present = rows.filter((row) => key(row) !== null);
  const absent = rows.filter((row) => key(row) === null);
  present.sort((a, b) => compare(key(a), key(b)) * (sort.descending ? -1 : 1));
  return [...present, ...absent];
}
