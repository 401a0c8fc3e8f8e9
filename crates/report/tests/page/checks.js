// Looks at the page from within, after its own program: what is shown of a selection, with links, clicks and
// the keyboard. What is not as it should be stands in the document's title.
const failures = [];
addEventListener("error", ({ message }) => failures.push(message));
const check = (what, found, expected) => {
  const [a, b] = [found, expected].map((value) => JSON.stringify(value));
  if (a !== b) failures.push(`${what}: ${a} and not ${b}`);
};
const id = (name) => document.getElementById(name);
const all = (selector) => [...document.querySelectorAll(selector)];
const rows = () => all("#table tbody tr");
const names = () => rows().map((row) => row.cells[0].textContent).join(" ");
const soon = () => new Promise((done) => setTimeout(done, 100));
const open = async (fragment) => { location.hash = fragment; await soon(); };
const click = async (element) => { element.focus(); element.click(); await soon(); };
const EVERYTHING = "columns=time,overhead,relative,counts&sync=nosync,sync&value_size=4,64"
  + "&backend=raw-ffi,raw-ffi@lmdb-master-sys,heed,owned-buffer";
const BESIDE = "&beside=another/2030-01-02/shipped";

async function firstView() {
  check("run", id("run").value, "epyc-vm/2030-01-02/shipped");
  // Two bindings, two ends, three batch sizes, one value size.
  check("rows and marks", [rows().length, all("#chart .row").length], [12, 12]);
  check("chosen", all("input:checked").map(({ name, value }) => `${name}=${value}`).join(" "),
    "finish=abort finish=commit sync=nosync batch_size=1 batch_size=10 batch_size=100 value_size=64 "
    + "backend=heed backend=owned-buffer columns=time columns=overhead");
  await open("backend=");
  check("nothing is chosen", [rows().length, id("chart-about").textContent.startsWith("Nothing")], [0, true]);
}

async function links() {
  await open("run=another/2030-01-02/shipped&finish=abort&batch_size=10,100&backend=raw-ffi,heed"
    + "&columns=relative&show=relative&sort=-backend");
  const isShown = (when) => check(when, [names(), id("show").value], ["raw-ffi raw-ffi heed heed", "relative"]);
  isShown("a link");
  check("warning", id("note").textContent.includes("could not be bound to a core"), true);
  const heed = document.querySelector("input[value=heed]");
  await click(heed);
  check("without heed", names(), "raw-ffi raw-ffi");
  await click(heed);
  isShown("what the page writes is what it reads");
  await open(`backend=heed&finish=abort${BESIDE}`);
  check("machines", rows().slice(0, 2).map((row) => row.cells[1].textContent),
    ["epyc-vm, 2030-01-02, as shipped", "another, 2030-01-02, as shipped"]);
  await open("run=nowhere&backend=heed,sled&value_size=65&sort=beauty&colour=red&show=price");
  const unknown = ["run=nowhere", "backend=sled", "value_size=65", "sort=beauty", "colour", "show=price"];
  check("unknown", unknown.filter((part) => !id("note").textContent.includes(part)), []);
  await click(id("reset"));
  check("back to the first view", rows().length, 12);
}

/** The cells of a column as what is compared: numbers in one unit, or words. What is missing is null. */
const cells = (column) => rows().map((row) => {
  const cell = row.cells[column];
  if (!cell || cell.colSpan > 1 || cell.textContent === "–") return null;
  const text = cell.textContent.replace(/^[▲▼] /, "");
  const scale = { ns: 1, μs: 1e3, ms: 1e6, s: 1e9 }[text.split(" ").at(-1)] ?? 1;
  return /^\d/.test(text) ? parseFloat(text) * scale : text;
});

async function sorting() {
  await open(EVERYTHING);
  // Two ends, three batch and two value sizes, four backends; one that was counted alone.
  check("rows", rows().length, 49);
  // Backend and four axes; six about times, seven about ratios, nine counts.
  const buttons = all("#table thead button");
  check("columns", buttons.length, 28);
  const before = names();
  for (const [column, button] of buttons.entries()) {
    for (const direction of ["ascending", "descending", "none"]) {
      await click(button);
      check("sorted", [button.parentElement.ariaSort, document.activeElement === button], [direction, true]);
      const found = cells(column);
      const there = found.filter((value) => value !== null);
      const pairs = there.slice(1).map((value, index) => [there[index], value]);
      const inOrder = { ascending: ([a, b]) => a <= b, descending: ([a, b]) => a >= b, none: () => true }[direction];
      check(`${button.textContent} ${direction}`, pairs.filter((pair) => !inOrder(pair)), []);
      if (direction !== "none") check("missing last", found.slice(there.length).filter((it) => it !== null), []);
    }
  }
  check("as it was", names(), before);
}

async function keyboard() {
  const unreachable = all("input, select, button, a, summary, #scroll").filter((it) => {
    it.focus();
    return it.tabIndex < 0 || (it.checkVisibility() && document.activeElement !== it);
  });
  check("reached by keys", unreachable.map(({ outerHTML }) => outerHTML), []);
  const first = all("input[name=backend]")[0];
  await click(first);
  check("the focus stays", document.activeElement === first, true);
  await click(document.querySelector(".skip"));
  check("skipped to", document.activeElement.id, "chart-heading");
}

async function charts() {
  // All except: controls, failed, counted alone; where there is a ratio to raw-ffi, one of the controls.
  for (const [show, drawn] of Object.entries({ overhead: 23, relative: 35, "time-per-put": 47, instructions: 48 })) {
    await open(`${EVERYTHING}&show=${show}`);
    check(`${show}: marks`, all("#chart .mark, #chart .binding").length, drawn);
    check(`${show}: reasons`, all("#chart .absent").length, 49 - drawn);
    const outside = all("#chart .mark, #chart .part, #chart .line").filter((it) => {
      const [a, b] = [it, it.ownerSVGElement].map((element) => element.getBoundingClientRect());
      return a.left < b.left || a.right > b.right;
    });
    check(`${show}: outside`, outside.length, 0);
    check(`${show}: ticks`, all("#chart .tick").length > 3, true);
  }
  await open("backend=owned-buffer&value_size=4,64");
  check("verdicts", ["slower", "undecided", "faster"].map((kind) => all(`#chart .mark.${kind}`).length), [4, 4, 4]);
  await open("backend=heed&batch_size=10&finish=commit");
  const reasons = ["#table td.failed", "#chart .absent"].map((place) => all(place)[0]?.textContent.slice(0, 40));
  check("a failed case", reasons, Array(2).fill("failed: put: <\/script><\!--<b>full</b>: t"));
}

async function narrow() {
  await open(`${EVERYTHING}${BESIDE}`);
  check("width", document.documentElement.scrollWidth <= innerWidth, true);
  check("the table scrolls alone", id("scroll").scrollWidth > id("scroll").clientWidth, true);
  const outside = all("#chart text").filter((it) => it.getBoundingClientRect().right > innerWidth);
  check("texts", outside.map(({ textContent }) => textContent), []);
}

await soon();
for (const scene of innerWidth > 700 ? [firstView, links, sorting, keyboard, charts] : [narrow]) await scene();
check("fetched", performance.getEntriesByType("resource").map(({ name }) => name), []);
const colour = getComputedStyle(document.body).backgroundColor;
document.title = `${failures.join("; ") || "as it should be"}, on ${colour} at ${innerWidth}`;
