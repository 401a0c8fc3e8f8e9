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
/** For the axis, above and below the rows; for the values right of the marks; between two ticks. */
const [AXIS, RIGHT, APART] = [24, 78, 46];

/** An SVG element. @returns {SVGElement} */
function shape(tag, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}

/**
 * What a row has in a chart; `null` where its value is not there.
 * @param {Row} row
 * @param {Chart} chart
 */
function markOf({ state, cells }, chart) {
  const text = cells[chart.value];
  if (state !== null || text === "") return null;
  const [value] = numbers(text);
  const ends = (column) => (column !== null && cells[column] !== "" ? numbers(cells[column]) : null);
  const [low, high] = ends(chart.interval) ?? [value, value];
  const [, kind] = DATA.verdicts.find(([verdict]) => verdict === cells[chart.verdict]) ?? [null, "plain"];
  const parts = chart.parts.map(([id]) => [id, ends(id)?.[0] ?? 0]);
  // A logarithmic axis has no 0: an interval that reaches it ends where there is nothing left to see.
  const from = chart.linear ? 0 : Math.max(low, value / 10);
  return { low: from, value, high, kind, text, floor: ends(chart.floor), parts };
}

/** Why a row has no mark. */
const absence = (row, chart) => row.state ?? chart.absent;

/** Ratios that are good to read, the most important first. */
const RATIOS = [1, 1.1, 1.5, 2, 0.5, 1.2, 1.3, 1.05, 0.9, 3, 5, 10, 0.8, 0.95, 1.02, 0.98, 1.4, 0.7, 1.01, 0.99, 0.2, 0.1, 4, 7, 20, 50, 100];

/** Round times, the roundest first, each with its text. */
function times() {
  const units = Object.entries(DATA.units).sort(([, a], [, b]) => b - a);
  const powers = Array.from({ length: 11 }, (_, index) => 10 ** (index - 1));
  return [1, 5, 2, 3, 1.5, 7].flatMap((digit) => powers.map((power) => {
    const time = digit * power;
    const [unit, size] = units.find(([, size]) => time >= size) ?? units.at(-1);
    return [time, `${Number((time / size).toPrecision(3))} ${unit}`];
  }));
}

/**
 * A scale from `low` to `high` onto `width` pixels and its ticks, each with its text.
 * @param {Chart} chart
 */
function scaleOf(low, high, width, chart) {
  const place = chart.linear
    ? (value) => (value / high) * width
    : (value) => (Math.log(value / low) / Math.log(high / low)) * width;
  const steps = Array.from({ length: 42 }, (_, index) => [1, 2, 5][index % 3] * 10 ** Math.floor(index / 3));
  const step = steps.find((size) => (high / size) * (APART + 10) <= width) ?? high;
  const whole = Array.from({ length: Math.floor(high / step) + 1 }, (_, index) => [index * step, String(index * step)]);
  const ticks = [];
  const candidates = chart.one ? RATIOS.map((ratio) => [ratio, ratio.toFixed(2)]) : times();
  for (const tick of chart.linear ? whole : candidates) {
    const inside = tick[0] >= (chart.linear ? 0 : low) && tick[0] <= high;
    if (inside && ticks.every(([other]) => Math.abs(place(tick[0]) - place(other)) >= APART)) ticks.push(tick);
  }
  return { place, ticks };
}

/** What names a row beside its backend: the axes in which the shown rows differ, and the run. */
function detailOf({ run, cells }, rows) {
  const differs = DATA.axes.filter(({ id }) => rows.some((other) => other.cells[id] !== rows[0].cells[id]));
  const parts = differs.map(({ id, name, number }) => (number ? `${name}=${cells[id]}` : cells[id]));
  if (rows.some((other) => other.run !== rows[0].run)) parts.push(run.title);
  return parts.join(" ");
}

/** From the lowest to the highest value of `marks`, with some air. */
function rangeOf(marks, chart) {
  const ends = marks.flatMap(({ low, high, floor }) => [low, high, ...(floor ?? [])]);
  // Equal backends are not drawn as if they were far apart.
  if (chart.one) ends.push(0.99, 1.01);
  const [least, most] = ends.length > 0 ? [Math.min(...ends), Math.max(...ends)] : [0.9, 1.1];
  const air = chart.linear ? 1 : Math.max((most / least) ** 0.02, 1.001);
  return [least / air, most * air];
}

/**
 * Draws `rows` into the chart, a mark or the reason for none for each, in their order.
 * @param {Row[]} rows
 * @param {Chart} chart
 */
function showChart(rows, chart) {
  const holder = byId("chart");
  const width = Math.max(280, holder.clientWidth);
  byId("chart-about").textContent = rows.length > 0 ? chart.about
    : "Nothing is chosen, or nothing that was measured: choose at least one value of each kind and a backend.";
  showLegend(chart);
  if (rows.length === 0) return holder.replaceChildren();

  const marks = rows.map((row) => markOf(row, chart));
  const details = rows.map((row) => detailOf(row, rows));
  const lengths = rows.map((row, index) => row.backend.length * LETTER.bold + details[index].length * LETTER.plain);
  const longest = Math.max(...lengths) + 26;
  const isNarrow = width < NARROW || longest > width / 2;
  const at = isNarrow ? (longest > width ? ROW.long : ROW.above) : ROW.beside;
  const left = isNarrow ? 2 : longest;
  const scale = scaleOf(...rangeOf(marks.filter((mark) => mark !== null), chart), width - left - RIGHT, chart);
  const bottom = AXIS + rows.length * at.height;
  const picture = shape("svg", { role: "img", "aria-label": `${chart.name}: the same as in the table, ${rows.length} rows`,
    viewBox: `0 0 ${width} ${bottom + AXIS}`, height: bottom + AXIS });
  const across = (value) => left + scale.place(value);
  for (const [tick, text] of scale.ticks) {
    const x = across(tick);
    picture.append(shape("line", { class: "grid", x1: x, x2: x, y1: AXIS, y2: bottom }));
    for (const y of [AXIS - 8, bottom + 16]) {
      picture.append(shape("text", { class: "tick", x, y, "text-anchor": "middle" }, text));
    }
  }
  rows.forEach((row, index) => {
    const top = AXIS + index * at.height;
    const group = shape("g", { class: "row", "data-row": index }, shape("title", {}, titleOf(row, details[index], chart)));
    group.append(shape("rect", { class: "hit", x: 0, y: top, width, height: at.height, "fill-opacity": 0.5 }));
    const name = shape("text", { x: 0, y: top + at.name }, shape("tspan", { class: "name" }, row.backend));
    const below = at === ROW.long ? { x: 0, y: top + at.detail } : { dx: 8 };
    name.append(shape("tspan", { class: "detail", ...below }, shortened(details[index], width / LETTER.plain)));
    group.append(name);
    const middle = top + at.mark;
    const mark = marks[index];
    if (mark === null) {
      const reason = shortened(absence(row, chart), (width - left) / LETTER.plain);
      group.append(shape("text", { class: "absent", x: left + 4, y: middle + 4 }, reason));
    } else {
      drawMark(group, mark, across, middle, at.band, chart);
      group.append(shape("text", { class: "detail", x: width, y: middle + 4, "text-anchor": "end" }, mark.text));
    }
    picture.append(group);
  });
  holder.replaceChildren(picture);
}

/** `text` in at most `most` characters; all of it is in the table, and shown to a pointer that rests here. */
function shortened(text, most) {
  return text.length <= most ? text : `${text.slice(0, Math.max(0, most - 1))}…`;
}

/** @param {SVGElement} group @param {Chart} chart */
function drawMark(group, mark, across, middle, height, chart) {
  const [top, bottom] = [middle - height / 2, middle + height / 2];
  if (mark.floor !== null) {
    const [x, end] = mark.floor.map(across);
    group.append(shape("rect", { class: "floor", x, y: top, width: end - x, height }));
  }
  if (chart.one) group.append(shape("line", { class: "one", x1: across(1), x2: across(1), y1: top, y2: bottom }));
  let before = 0;
  for (const [kind, part] of mark.parts) {
    const x = across(before);
    before += part;
    group.append(shape("rect", { class: `part ${kind}`, x, y: middle - 7, width: Math.max(0, across(before) - x), height: 14 }));
  }
  if (mark.parts.length > 0) return;
  const [x, y] = [across(mark.value), middle];
  group.append(shape("line", { class: `line ${mark.kind}`, x1: across(mark.low), x2: across(mark.high), y1: y, y2: y }));
  group.append(markShape(mark.kind, x, y));
}

/** Shapes say what colours say: a disc, a diamond, a ring. */
function markShape(kind, x, y) {
  if (kind === "faster") return shape("path", { class: `mark ${kind}`, d: `M${x} ${y - 6}l6 6l-6 6l-6 -6z` });
  return shape("circle", { class: `mark ${kind}`, cx: x, cy: y, r: kind === "undecided" ? 4 : 4.5 });
}

/** All of a mark in words: what a pointer that rests on it shows. */
function titleOf(row, detail, chart) {
  const name = `${row.backend} ${detail}`.trim();
  if (row.state !== null || row.cells[chart.value] === "") return `${name}: ${absence(row, chart)}`;
  const texts = [chart.value, chart.interval, chart.verdict].filter((id) => id !== null).map((id) => row.cells[id]);
  return `${name}: ${[...texts, ...chart.parts.map(([id, text]) => `${text} ${row.cells[id]}`)].join(", ")}`;
}

function showLegend(chart) {
  const swatch = (name, ...shapes) => element("span", {}, shape("svg", { width: 22, height: 14 }, ...shapes), name);
  const whisker = (kind) => [shape("line", { class: `line ${kind}`, x1: 0, x2: 22, y1: 7, y2: 7 }), markShape(kind, 11, 7)];
  const block = (kind) => shape("rect", { class: kind, x: 3, y: 0, width: 14, height: 14 });
  const entries = chart.parts.map(([kind, text]) => swatch(text, block(kind)));
  if (chart.verdict !== null) entries.push(...DATA.verdicts.map(([text, kind]) => swatch(text, ...whisker(kind))));
  if (chart.floor !== null) entries.push(swatch("noise floor", block("floor")));
  byId("legend").replaceChildren(...entries);
}
