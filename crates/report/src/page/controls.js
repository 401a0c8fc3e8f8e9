/**
 * An element with attributes and children; texts become text, never markup.
 * @param {string} tag
 * @param {Object<string, string>} [attributes]
 * @param {...(Node|string)} children
 * @returns {HTMLElement}
 */
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** A check box that looks like a button, with its label around it. */
function chip(name, value, text = value) {
  const input = element("input", { type: "checkbox", name, value });
  return element("label", { class: "chip" }, input, element("span", {}, text));
}

/** Fills a list of choices from which one is taken. */
function fillSelect(select, options) {
  select.replaceChildren(...options.map(([value, text]) => element("option", { value }, text)));
}

/** Makes what does not depend on the selection. */
function makeControls() {
  const runs = RUNS.map(({ id, title }) => [id, title]);
  fillSelect(byId("run"), runs);
  fillSelect(byId("beside"), [["", "nothing"], ...runs]);
  fillSelect(byId("show"), DATA.charts.map(({ id, name }) => [id, name]));
  byId("groups").querySelector(".chips").append(...DATA.groups.map(([id, text]) => chip("columns", id, text)));
  // On a narrow screen the choices would hide what they change.
  if (matchMedia("(max-width: 40rem)").matches) byId("choices").open = false;
}

/**
 * Makes the choices that `runs` have. They stay the same elements until other runs are chosen, so that
 * the keyboard's focus stays where it is.
 * @param {Run[]} runs
 */
function makeChoices(runs) {
  const { axes, backends } = choices(runs);
  const fieldsets = DATA.axes.filter(({ id }) => axes[id].length > 1).map(({ id, meaning }) => {
    const chips = element("div", { class: "chips" }, ...axes[id].map((value) => chip(id, value)));
    return element("fieldset", { id: `axis-${id}` }, element("legend", {}, meaning), chips);
  });
  byId("axes").replaceChildren(...fieldsets);
  byId("backends").querySelector(".chips").replaceChildren(...backends.map((name) => chip("backend", name)));
}

/**
 * Shows in all controls what is chosen.
 * @param {Selection} selection
 */
function showChosen(selection) {
  byId("run").value = selection.runs[0];
  byId("beside").value = selection.runs[1] ?? "";
  byId("show").value = selection.show;
  const chosen = { ...selection.axes, backend: selection.backends, columns: selection.columns };
  for (const [name, values] of Object.entries(chosen)) {
    for (const box of boxes(name)) box.checked = values.includes(box.value);
  }
  const axes = DATA.axes.filter(({ id }) => boxes(id).length > 0);
  const words = axes.map(({ id, name }) => `${name} ${selection.axes[id].join(", ") || "none"}`);
  const count = selection.backends.length;
  byId("chosen").textContent = [...words, `${count} ${count === 1 ? "backend" : "backends"}`].join("; ");
}

/** @returns {HTMLInputElement[]} */
function boxes(name) {
  return [...document.querySelectorAll(`input[name="${name}"]`)];
}

/**
 * The selection that the controls show after one of them was changed.
 * @param {Selection} selection before
 * @param {EventTarget} changed
 * @returns {Selection}
 */
function changedTo(selection, changed) {
  if (changed.id === "run" || changed.id === "beside") {
    const ids = distinct([byId("run").value, byId("beside").value]).filter((id) => id !== "");
    return moved(selection, ids.map((id) => RUNS.find((run) => run.id === id)));
  }
  const checked = (name) => boxes(name).filter((box) => box.checked).map((box) => box.value);
  const axes = { ...selection.axes };
  for (const axis of AXES) if (boxes(axis).length > 0) axes[axis] = checked(axis);
  return { ...selection, show: byId("show").value, columns: checked("columns"), axes, backends: checked("backend") };
}
