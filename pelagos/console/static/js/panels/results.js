// How an attempt ended, beside the attempts before it: score by attempt, and the distance over time, negative inside
// the structure (Royer 1985, figure 7.3).
import { inWords, make, shown, table } from "./build.js";
import { drawCurve, drawBars } from "./charts.js";

/** @typedef {Record<string, any>} Result */

export class Results {
  constructor() {
    this.element = make("section", { id: "task-results", className: "hidden" });
  }

  /** @param {Result} result with `history`, the attempts of this pilot at this task, oldest first */
  show(result) {
    const history = attempts(result);
    const rows = Object.entries(result.measures ?? {}).map(([name, value]) => [inWords(name), shown(value, name)]);
    const bars = make("canvas", { width: 360, height: 110, role: "img" });
    bars.setAttribute("aria-label", `Scores of ${history.length} attempts`);
    const curve = make("canvas", { width: 360, height: 140, role: "img" });
    const values = distances(result);
    this.element.replaceChildren(
      make("h3", {}, `Result: ${shown(result.score)} of 100`),
      make("p", {}, `${result.title ?? result.task ?? ""}: ${result.ended ?? ""}`),
      ...(history.length > 1 ? [make("h3", {}, "Over attempts"), bars] : []), // one alone compares with nothing
      ...(values ? [make("h3", {}, inWords(values.name)), curve] : []),
      table(["measure", "value"], rows, { numbers: [1] }),
    );
    this.element.classList.remove("hidden");
    drawBars(bars, history.map((one) => Number(one.score)));
    if (values) {
      curve.setAttribute("aria-label", `${inWords(values.name)} over time; below zero: inside the structure`);
      drawCurve(curve, values.times, values.values);
    }
  }
}

/**
 * The attempts of this pilot, this one last.
 * @param {Result} result
 * @returns {Result[]}
 */
export function attempts(result) {
  const before = Array.isArray(result.history) ? result.history : [];
  const known = before.some((one) => one.date === result.date && one.score === result.score);
  return known ? before : [...before, result];
}

/**
 * The curve that is drawn: the distance if there is one, else the first that is no time.
 * @param {Result} result
 */
export function distances(result) {
  const curve = /** @type {Record<string, (number | null)[]>} */ (result.curve ?? {});
  const times = curve.time_s;
  const names = Object.keys(curve).filter((name) => name !== "time_s");
  const told = (/** @type {string} */ word) => names.find((one) => one.includes(word));
  const name = told("distance") ?? told("error") ?? names[0];
  if (!times || !name) return null;
  return { name, times: times.map(Number), values: curve[name].map((value) => (value === null ? NaN : Number(value))) };
}
