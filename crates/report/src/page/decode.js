/**
 * One case of one run: a row of the table.
 * @typedef {object} Row
 * @property {Run} run where it was measured
 * @property {string} backend
 * @property {number} place of the case in the data of its run
 * @property {string} finish
 * @property {string} sync
 * @property {string} order of keys
 * @property {number} key size in bytes
 * @property {number} batch puts per transaction
 * @property {number} value size in bytes
 * @property {?string} failed why it has no numbers
 * @property {?{mean: number, error: ?number, deviation: ?number, median: number}} time in nanoseconds
 * @property {?Ratio} overhead
 * @property {?Ratio} relative
 * @property {?{low: number, high: number}} floor
 * @property {?{all: number, binding: ?number, allocator: ?number, engine: ?number}} instructions
 * @property {{allocations: ?number, bytes: ?number, calls: ?number}} others
 */

/**
 * @typedef {{estimate: number, low: number, high: number, verdict: string}} Ratio
 * @typedef {{id: string, host: string, date: string, engines: string, machine: string, confidence: number,
 *   facts: string[], warnings: string[], backends: {name: string, control: ?string, about: string}[],
 *   rows: Row[]}} Run
 */

const VERDICTS = { s: "slower", f: "faster", n: "no difference found" };

/** The axes of a workload, in the order of the table. */
const AXES = ["finish", "sync", "order", "key", "batch", "value"];

/**
 * The runs that are embedded in the page.
 * @param {object} data as `data.rs` writes it
 * @returns {Run[]}
 */
function decode(data) {
  const workloads = data.workloads.map(([finish, sync, order, key, batch, value]) => ({
    finish: data.names[finish],
    sync: data.names[sync],
    order: data.names[order],
    key,
    batch,
    value,
  }));
  return data.runs.map((packed) => {
    const run = {
      ...packed,
      backends: packed.backends.map(({ name, control, about }) => ({
        name: data.names[name],
        control: control === null ? null : data.names[control],
        about,
      })),
    };
    const floors = new Map(
      packed.floors.map(([workload, low, high]) => [workload, { low: low / 1000, high: high / 1000 }]),
    );
    run.rows = packed.cases.backend.map((name, place) => ({
      run,
      backend: data.names[name],
      place,
      ...workloads[packed.cases.workload[place]],
      ...measured(packed.cases, place, data.names),
      floor: floors.get(packed.cases.workload[place]) ?? null,
    }));
    // Cases that were counted alone stand behind all others in the data: workload by workload it is.
    const backends = run.backends.map(({ name }) => name);
    const order = new Map([...new Set(packed.cases.workload)].map((workload, index) => [workload, index]));
    const position = ({ place, backend }) =>
      order.get(packed.cases.workload[place]) * backends.length + backends.indexOf(backend);
    run.rows.sort((a, b) => position(a) - position(b));
    delete run.cases;
    delete run.floors;
    return run;
  });
}

/**
 * What was found out about the case at `place`.
 * @returns {Partial<Row>}
 */
function measured(cases, place, names) {
  const at = (lists) => lists.map((list) => list[place]);
  const [mean, error, deviation, median] = at(cases.time);
  const [all, binding, allocator, engine] = at(cases.instructions);
  const [allocations, bytes, calls] = at(cases.others);
  const overhead = ratio(at(cases.overhead), cases.overhead_verdict[place]);
  return {
    failed: place in cases.failed ? names[cases.failed[place]] : null,
    time: mean === null ? null : { mean, error, deviation, median },
    overhead,
    // Left out where it would repeat the overhead.
    relative: ratio(at(cases.relative), cases.relative_verdict[place]) ?? overhead,
    instructions: all === null ? null : { all, binding, allocator, engine },
    others: { allocations, bytes, calls },
  };
}

/** @returns {?Ratio} */
function ratio([estimate, low, high], verdict) {
  if (estimate === null) return null;
  return { estimate: estimate / 1000, low: low / 1000, high: high / 1000, verdict: VERDICTS[verdict] };
}
