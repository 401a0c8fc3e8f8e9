/**
 * Ties the page together. A control changes the address, the address gives the selection, the selection
 * gives what is seen: in this direction only, so that a link, a reload and the way back are the same.
 */
function start() {
  byId("layout").hidden = false;
  if (RUNS.length === 0) {
    byId("note").textContent = "Nothing has been published yet.";
    byId("controls").hidden = true;
    return;
  }
  /** @type {Selection} */
  let selection;
  /** @type {Run[]} */
  let runs = [];
  /** @type {Row[]} */
  let rows = [];

  const draw = () => showChart(rows, CHARTS.get(selection.show));
  const follow = () => {
    const before = runs.map(({ id }) => id).join();
    const understood = read(location.hash.slice(1));
    selection = understood.selection;
    runs = selection.runs.map((id) => RUNS.find((run) => run.id === id));
    if (runs.map(({ id }) => id).join() !== before) {
      makeChoices(runs);
      showFacts(runs);
    }
    showChosen(selection);
    showAnswer(runs);
    showNote(understood.ignored, runs);
    const columns = shownColumns(selection, runs);
    rows = sorted(chosenRows(selection, runs), selection);
    showHead(columns, selection);
    showRows(rows, columns);
    const total = runs.reduce((sum, run) => sum + run.rows.length, 0);
    byId("count").textContent = `${rows.length} of ${total} cases. Times are per transaction; a heading sorts up, down, and back.`;
    draw();
  };
  const choose = (next) => {
    location.hash = written(next);
  };

  makeControls();
  follow();
  addEventListener("hashchange", follow);
  for (const place of ["controls", "show", "groups"]) {
    byId(place).addEventListener("change", (event) => choose(changedTo(selection, event.target)));
  }
  byId("controls").addEventListener("submit", (event) => event.preventDefault());
  byId("table").tHead.addEventListener("click", (event) => {
    const column = event.target.closest("button")?.dataset.sort;
    if (column !== undefined) choose({ ...selection, sort: sortedNext(selection, column) });
  });
  // The fragment is the selection's: these links must not change it, or only clear it.
  byId("reset").addEventListener("click", (event) => {
    event.preventDefault();
    location.hash = "";
  });
  document.querySelector("[data-skip]").addEventListener("click", (event) => {
    event.preventDefault();
    byId(event.target.dataset.skip).focus();
  });
  let width = 0;
  new ResizeObserver(([{ contentRect }]) => {
    if (contentRect.width !== width) draw();
    width = contentRect.width;
  }).observe(byId("chart"));
}

/** What each run says in a sentence. */
function showAnswer(runs) {
  const lines = runs.flatMap((run) => run.answer.map((line) => element("p", {}, runs.length > 1 ? `${run.title}: ${line}` : line)));
  byId("answer").replaceChildren(...lines);
}

/** What was not understood, and what must be known before a number is believed. */
function showNote(ignored, runs) {
  const notes = [];
  if (ignored.length > 0) notes.push(`The link asks for what is not here, which was left out: ${ignored.join(", ")}.`);
  for (const run of runs) for (const warning of run.warnings) notes.push(`${run.title}: ${warning}.`);
  if (distinct(runs.map(({ host }) => host)).length > 1) {
    notes.push("Times of two machines differ for reasons that have nothing to do with bindings: compare ratios.");
  }
  byId("note").replaceChildren(...notes.map((note) => element("p", {}, note)));
}

/** Machine, settings, backends. */
function showFacts(runs) {
  const facts = runs.flatMap((run) => {
    const tables = element("a", { href: `${encodeURI(run.place)}/README.md` }, "its tables");
    const lines = run.facts.map((fact) => element("li", {}, fact));
    const backends = run.backends.map(({ name, about, control }) =>
      element("li", {}, `${name}: ${about}${control === null ? "" : `; compared with ${control}`}`),
    );
    const links = run.host === "latest" ? [] : [element("li", {}, tables)];
    return [element("h3", {}, run.title), element("ul", {}, ...lines, ...links), element("ul", {}, ...backends)];
  });
  byId("facts").replaceChildren(...facts);
}

start();
