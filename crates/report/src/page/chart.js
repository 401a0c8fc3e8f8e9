/**
 * Where things are in a row, from its top: where its name stands beside its mark, above it because the
 * screen is narrow, and above it in two lines because it is long.
 */
const ROW = {
  beside: { height: 22, name: 15, detail: 15, mark: 11, band: 22 },
  above: { height: 40, name: 15, detail: 15, mark: 28, band: 16 },
  long: { height: 54, name: 15, detail: 29, mark: 42, band: 16 },
};
/** Below this width, in pixels, names stand above marks. */
const NARROW = 620;
/** About the width of a letter, in pixels, and of a bold one. */
const LETTER = { plain: 6.8, bold: 7.6 };
/** For the axis, above and below the rows. */
const AXIS = 24;

/** An SVG element. @returns {SVGElement} */
function shape(tag, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}

/**
 * What a row has in the chart.
 * @typedef {{low: number, value: number, high: number, kind: string, text: string, isRatio?: boolean,
 *   floor?: ?{low: number, high: number}, parts?: [string, number][]}} Mark
 */

/**
 * @param {Row} row
 * @param {string} show one of `MEASURES`
 * @returns {?Mark}
 */
function markOf(row, show) {
  if (show === "time") {
    if (row.time === null) return null;
    const [mean, error] = [row.time.mean / row.batch, (row.time.error ?? 0) / row.batch];
    // The axis is logarithmic: an interval that reaches below 0 ends where there is nothing left to see.
    return { low: Math.max(mean - error, mean / 10), value: mean, high: mean + error, kind: "plain", text: time(mean) };
  }
  if (show === "instructions") {
    if (row.instructions === null) return null;
    const { all, binding, allocator, engine } = row.instructions;
    const value = all / row.batch;
    const known = [["binding", binding], ["allocator", allocator], ["engine", engine]];
    const rest = known.some(([, part]) => part === null) ? all : all - binding - allocator - engine;
    const parts = [known[0], known[1], ["libc", rest], known[2]].map(([kind, part]) => [kind, (part ?? 0) / row.batch]);
    return { low: 0, value, high: value, kind: "plain", text: count(Math.round(value)), parts };
  }
  const ratio = row[show];
  if (ratio === null) return null;
  const kind = { slower: "slower", faster: "faster" }[ratio.verdict] ?? "undecided";
  const text = ratio.estimate.toFixed(3);
  return { low: ratio.low, value: ratio.estimate, high: ratio.high, kind, text, floor: row.floor, isRatio: true };
}

/** Why a row has no mark. */
function absence(row, show) {
  if (row.failed !== null) return `failed: ${row.failed}`;
  if (show === "instructions") return "not counted";
  if (row.time === null) return "not timed";
  return show === "overhead" ? "nothing to compare it with: it is the control, or without LMDB" : "is what others are compared with";
}

/**
 * A scale from `low` to `high` onto `width` pixels and its ticks.
 * @param {boolean} linear from 0; otherwise logarithmic
 */
function scaleOf(low, high, width, linear) {
  const place = linear
    ? (value) => (value / high) * width
    : (value) => (Math.log(value / low) / Math.log(high / low)) * width;
  const powers = Array.from({ length: 14 }, (_, index) => 10 ** (index - 2));
  const round = [1, 5, 2, 3, 1.5, 7].flatMap((digit) => powers.map((power) => power * digit));
  const near = [1, 1.1, 1.5, 0.9, 1.2, 1.3, 1.05, 0.95, 0.8, 1.02, 0.98, 1.4, 1.01, 0.99];
  const step = powers.flatMap((power) => [power, 2 * power, 5 * power]).find((it) => (high / it) * 56 <= width);
  const steps = linear && step ? Array.from({ length: Math.floor(high / step) + 1 }, (_, index) => index * step) : [];
  const ticks = [];
  for (const tick of linear ? steps : [...near, ...round]) {
    const inside = tick >= (linear ? 0 : low) && tick <= high;
    if (inside && ticks.every((other) => Math.abs(place(tick) - place(other)) >= 46)) ticks.push(tick);
  }
  return { place, ticks };
}

/** What names a row beside its backend: the axes in which the shown rows differ. */
function detailOf(row, rows) {
  const word = { key: "k", batch: "n", value: "v" };
  const differs = AXES.filter((axis) => rows.some((other) => other[axis] !== rows[0][axis]));
  const parts = differs.map((axis) => (word[axis] ? `${word[axis]}=${row[axis]}` : row[axis]));
  for (const part of ["host", "date", "engines"]) {
    if (rows.some(({ run }) => run[part] !== rows[0].run[part])) parts.push(row.run[part]);
  }
  return parts.join(" ");
}

/**
 * Draws `rows` into the chart, a mark or the reason for none for each, in their order.
 * @param {Row[]} rows
 * @param {string} show
 */
function showChart(rows, show) {
  const holder = byId("chart");
  const width = Math.max(280, holder.clientWidth);
  const marks = rows.map((row) => markOf(row, show));
  const present = marks.filter((mark) => mark !== null);
  byId("chart-about").textContent = aboutChart(rows, show);
  showLegend(show);
  if (rows.length === 0) return holder.replaceChildren();

  const details = rows.map((row) => detailOf(row, rows));
  const lengths = rows.map((row, index) => row.backend.length * LETTER.bold + details[index].length * LETTER.plain);
  const longest = Math.max(...lengths) + 26;
  const isNarrow = width < NARROW || longest > width / 2;
  const at = isNarrow ? (longest > width ? ROW.long : ROW.above) : ROW.beside;
  const left = isNarrow ? 2 : longest;
  const right = 64;
  const linear = show === "instructions";
  const ends = present.flatMap(({ low, high, floor }) => (floor ? [low, high, floor.low, floor.high] : [low, high]));
  if (!linear && show !== "time") ends.push(0.99, 1.01);
  const [least, most] = ends.length > 0 ? [Math.min(...ends), Math.max(...ends)] : [0.9, 1.1];
  const air = linear ? 1 : Math.max((most / least) ** 0.02, 1.001);
  const scale = scaleOf(least / air, most * air, width - left - right, linear);
  const bottom = AXIS + rows.length * at.height;
  const picture = shape("svg", { role: "img", "aria-label": `${MEASURES[show]}: the same as in the table, ${rows.length} rows`,
    viewBox: `0 0 ${width} ${bottom + AXIS}`, height: bottom + AXIS });
  const across = (value) => left + scale.place(value);
  for (const tick of scale.ticks) {
    const x = across(tick);
    picture.append(shape("line", { class: "grid", x1: x, x2: x, y1: AXIS, y2: bottom }));
    for (const y of [AXIS - 8, bottom + 16]) {
      picture.append(shape("text", { class: "tick", x, y, "text-anchor": "middle" }, tickText(tick, show)));
    }
  }
  rows.forEach((row, index) => {
    const top = AXIS + index * at.height;
    const group = shape("g", { class: "row", "data-row": index }, shape("title", {}, titleOf(row, marks[index], details[index], show)));
    group.append(shape("rect", { class: "hit", x: 0, y: top, width, height: at.height, "fill-opacity": 0.5 }));
    const name = shape("text", { x: 0, y: top + at.name }, shape("tspan", { class: "name" }, row.backend));
    const below = at === ROW.long ? { x: 0, y: top + at.detail } : { dx: 8 };
    const detail = shortened(details[index], width / LETTER.plain);
    name.append(shape("tspan", { class: "detail", ...below }, detail));
    group.append(name);
    const middle = top + at.mark;
    if (marks[index] === null) {
      const reason = shortened(absence(row, show), (width - left) / LETTER.plain);
      group.append(shape("text", { class: "absent", x: left + 4, y: middle + 4 }, reason));
    } else {
      drawMark(group, marks[index], across, middle, at.band);
      group.append(shape("text", { class: "detail", x: width, y: middle + 4, "text-anchor": "end" }, marks[index].text));
    }
    picture.append(group);
  });
  holder.replaceChildren(picture);
}

/** `text` in at most `most` characters; all of it is in the table, and shown to a pointer that rests here. */
function shortened(text, most) {
  return text.length <= most ? text : `${text.slice(0, Math.max(0, most - 1))}…`;
}

/** @param {SVGElement} group @param {Mark} mark */
function drawMark(group, mark, across, middle, height) {
  const [top, bottom] = [middle - height / 2, middle + height / 2];
  if (mark.floor) {
    const [x, end] = [across(mark.floor.low), across(mark.floor.high)];
    group.append(shape("rect", { class: "floor", x, y: top, width: end - x, height }));
  }
  if (mark.isRatio) group.append(shape("line", { class: "one", x1: across(1), x2: across(1), y1: top, y2: bottom }));
  if (mark.parts) {
    let before = 0;
    for (const [kind, part] of mark.parts) {
      const x = across(before);
      before += part;
      group.append(shape("rect", { class: `part ${kind}`, x, y: middle - 7, width: Math.max(0, across(before) - x), height: 14 }));
    }
    return;
  }
  const [x, y] = [across(mark.value), middle];
  group.append(shape("line", { class: `line ${mark.kind}`, x1: across(mark.low), x2: across(mark.high), y1: y, y2: y }));
  group.append(markShape(mark.kind, x, y));
}

/** Shapes say what colours say: a disc, a diamond, a ring. */
function markShape(kind, x, y) {
  if (kind === "faster") return shape("path", { class: `mark ${kind}`, d: `M${x} ${y - 6}l6 6l-6 6l-6 -6z` });
  return shape("circle", { class: `mark ${kind}`, cx: x, cy: y, r: kind === "undecided" ? 4 : 4.5 });
}

function tickText(tick, show) {
  if (show === "instructions") return String(tick);
  if (show !== "time") return tick.toFixed(2);
  const [number, unit] = time(tick).split(" ");
  return `${Number(number)} ${unit}`;
}

/** All of a mark in words: what a pointer that rests on it shows. */
function titleOf(row, mark, detail, show) {
  const name = `${row.backend} ${detail}`.trim();
  if (mark === null) return `${name}: ${absence(row, show)}`;
  if (mark.parts) return `${name}: ${mark.parts.map(([kind, part]) => `${kind} ${Math.round(part)}`).join(", ")}`;
  const ends = show === "time" ? [time(mark.low), time(mark.high)] : [mark.low.toFixed(3), mark.high.toFixed(3)];
  return `${name}: ${mark.text}, ${ends.join(" to ")}${row[show]?.verdict ? `, ${row[show].verdict}` : ""}`;
}

/** How the chart is read. */
function aboutChart(rows, show) {
  if (rows.length === 0) return "Nothing is chosen, or nothing that was measured: choose at least one value of each kind and a backend.";
  const confidence = distinct(rows.map(({ run }) => `${Number((run.confidence * 100).toFixed(2))} %`)).join(" or ");
  return {
    overhead: `Time over that of raw FFI on the same LMDB, with ${confidence} intervals; 1.03 is 3 % longer. Logarithmic axis.`,
    relative: `Time over that of raw-ffi, binding and engine together, with ${confidence} intervals. Logarithmic axis.`,
    time: "Mean with its 99.9 % interval; it moves with the machine's mood, so differences of a few percent are in the overhead alone. Logarithmic axis.",
    instructions: "Who executes them, begin and finish shared among the puts.",
  }[show];
}

function showLegend(show) {
  const swatch = (name, ...shapes) => element("span", {}, shape("svg", { width: 22, height: 14 }, ...shapes), name);
  const whisker = (kind) => [shape("line", { class: `line ${kind}`, x1: 0, x2: 22, y1: 7, y2: 7 }), markShape(kind, 11, 7)];
  const block = (kind) => shape("rect", { class: kind, x: 3, y: 0, width: 14, height: 14 });
  const ratios = [
    swatch("slower", ...whisker("slower")),
    swatch("faster", ...whisker("faster")),
    swatch("no difference found", ...whisker("undecided")),
    swatch("noise floor", block("floor")),
  ];
  const parts = [
    swatch("binding and loop", block("binding")),
    swatch("C library: allocator", block("allocator")),
    swatch("C library: copying and the rest", block("libc")),
    swatch("LMDB", block("engine")),
  ];
  const entries = { overhead: ratios, relative: ratios, time: [swatch("mean", ...whisker("plain"))], instructions: parts };
  byId("legend").replaceChildren(...entries[show]);
}
