// Builds the task panel: choice of task and conditions, briefing, start and abort, live scores, result.
import { bodyOf, button, dropDown, inWords, labelled, make, formatValue, table } from "./build.js";
import { ConditionsForm } from "./conditions_form.js";
import { Results } from "./results.js";

const PHASES = ["no task", "ready: start when you like", "running", "over"];

/** @typedef {(name: string, values?: Record<string, any>) => void} Send */

/** The task panel. */
export class TaskPanel {
  /** @param {Send} order */
  constructor(order) {
    this.order = order;
    this.body = bodyOf("panel-task");
    this.phase = -1;
    this.results = new Results();
    this.state = make("p", { className: "note", role: "status" });
    this.start = button("Start", () => this.order("task_start"), { className: "primary", id: "task-start" });
    this.abort = button("Abort", () => this.order("task_abort"), { className: "danger", id: "task-abort" });
    this.scores = make("div", { id: "task-scores" });
    this.setup = make("div");
    this.briefing = make("div");
    /** @type {string[]} */
    this.columns = [];
    /** @type {Map<string, HTMLElement>} */
    this.cells = new Map();
    /** @type {ConditionsForm | null} */
    this.form = null;
    this.drawn = 0;
    this.title = "";
    this.line = ""; // title and phase, for the overlay of the camera
    this.body.append(
      this.briefing, this.state, make("div", { className: "row" }, this.start, this.abort), this.scores,
      this.results.element, this.setup,
    );
  }

  /** @param {import("../types.js").Hello} hello */
  setHello(hello) {
    const { task, tasks = [], conditions = {}, pilot_name: pilot = "" } = hello.source;
    this.briefing.replaceChildren(
      ...(task
        ? [make("h3", {}, task.title), make("p", {}, task.briefing ?? task.summary ?? "")]
        : [make("p", { className: "note" }, "No task: free flight. Choose one below.")]),
    );
    this.title = task?.title ?? "";
    this.makeSetup(task?.name ?? "", tasks, conditions, pilot, hello.source.settings?.condition_sets);
    this.columns = hello.columns.filter((name) => name.startsWith("score_"));
    this.makeScores();
    this.phase = -1;
  }

  /**
   * Fill the form that sets up the next flight.
   * @param {string} name of the present task
   * @param {import("../types.js").TaskChoice[]} tasks
   * @param {import("../types.js").Conditions} conditions
   * @param {string} pilot
   * @param {Record<string, import("../types.js").Conditions> | undefined} sets
   */
  makeSetup(name, tasks, conditions, pilot, sets) {
    const free = { value: "", text: "free flight" };
    const list = dropDown([free, ...tasks.map((task) => ({ value: task.name, text: task.title }))], name);
    list.id = "task-choice";
    this.form = new ConditionsForm(conditions);
    const place = make("div", {}, this.form.element);
    const pilotName = make("input", { type: "text", maxLength: 32, value: pilot, autocomplete: "nickname" });
    const setSelect = sets && this.conditionSets(sets, (selected) => {
      this.form = new ConditionsForm({ ...conditions, ...selected });
      for (const key of Object.keys(selected)) this.form.changed.add(key);
      place.replaceChildren(this.form.element);
    });
    this.setup.replaceChildren(
      make("h3", {}, "Choose"),
      labelled("pilot", pilotName), labelled("task", list),
      make("h3", {}, "Conditions"),
      ...(setSelect ? [labelled("as in the thesis", setSelect)] : []), place,
      button("Set up", () => {
        const entered = pilotName.value.trim();
        if (entered && entered !== pilot) this.order("pilot_name", { name: entered });
        this.order("task", { name: list.value || null, conditions: this.form?.changes() ?? {} });
      }, { className: "primary", id: "task-set" }),
    );
  }

  /**
   * A list of named sets of conditions.
   * @param {Record<string, import("../types.js").Conditions>} sets
   * @param {(selected: import("../types.js").Conditions) => void} onSelect
   */
  conditionSets(sets, onSelect) {
    const names = Object.keys(sets);
    const choices = [{ value: "", text: "own" }, ...names.map((name) => ({ value: name, text: name }))];
    const list = dropDown(choices, "", () => {
      if (list.value) onSelect(sets[list.value]);
    });
    return list;
  }

  makeScores() {
    this.cells.clear();
    const rows = this.columns.map((name) => {
      const cell = make("span", {}, "–");
      this.cells.set(name, cell);
      return [inWords(name.slice("score_".length)), cell];
    });
    this.scores.replaceChildren(rows.length > 0 ? table(["score", "now"], rows, { numbers: [1] }) : "");
  }

  /** @param {import("../types.js").ResultMessage} result */
  setResult(result) {
    this.results.show(result);
    this.results.element.scrollIntoView({ block: "start" });
  }

  /**
   * Draw phase and scores, at most five times a second so that numbers can be read.
   * @param {import("../types.js").Sample | null} sample
   * @param {number} now ms
   */
  draw(sample, now) {
    if (!sample || now - this.drawn < 200) return;
    this.drawn = now;
    const phase = sample.get("task_phase") || 0;
    if (phase !== this.phase) {
      this.phase = phase;
      this.start.classList.toggle("hidden", phase !== 1 && phase !== 3);
      this.abort.classList.toggle("hidden", phase !== 2);
      this.start.textContent = phase === 3 ? "Once more" : "Start";
    }
    const time = sample.get("task_time_s");
    const clock = phase === 2 && Number.isFinite(time) ? `, ${formatValue(time)} s` : "";
    const text = (PHASES[phase] ?? "") + clock;
    if (this.state.textContent !== text) this.state.textContent = text;
    this.line = this.title && phase > 0 ? `${this.title}: ${text}` : "";
    for (const [name, cell] of this.cells) cell.textContent = formatValue(sample.get(name), name);
  }
}
