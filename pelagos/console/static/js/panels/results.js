// Shows the result of an attempt: its measures, the scores of all attempts, and the distance over time, which is
// negative inside the structure (Royer 1985, figure 7.3).
import { inWords, make, formatValue, table } from "./build.js";
import { drawCurve, drawBars } from "./charts.js";

/** @typedef {Record<string, any>} Result */

/** The result of the last attempt. */
export class Results {
  constructor() {
    this.element = make("section", { id: "task-results", className: "hidden" });
  }

  /** @param {Result} result with `history`, the attempts of this pilot at this task, oldest first */
  show(result) {
    const history = attemptsOf(result);
    const measures = Object.entries(result.measures ?? {});
    const rows = measures.map(([name, value]) => [inWords(name), formatValue(value, name)]);
    const bars = make("canvas", { width: 360, height: 110, role: "img" });
    bars.setAttribute("aria-label", `Scores of ${history.length} attempts`);
    const chart = make("canvas", { width: 360, height: 140, role: "img" });
    const curve = curveOf(result);
    this.element.replaceChildren(
      make("h3", {}, `Result: ${formatValue(result.score)} of 100`),
      make("p", {}, `${result.title ?? result.task ?? ""}: ${result.ended ?? ""}`),
      ...(history.length > 1 ? [make("h3", {}, "Over attempts"), bars] : []), // a single bar shows no progress
      ...(curve ? [make("h3", {}, inWords(curve.name)), chart] : []),
      table(["measure", "value"], rows, { numbers: [1] }),
    );
    this.element.classList.remove("hidden");
    drawBars(bars, history.map((attempt) => Number(attempt.score)));
    if (curve) {
      chart.setAttribute("aria-label", `${inWords(curve.name)} over time; below zero: inside the structure`);
      drawCurve(chart, curve.times, curve.values);
    }
  }
}

/**
 * The attempts of this pilot, the present one last, whether or not the history includes it.
 * @param {Result} result
 * @returns {Result[]}
 */
export function attemptsOf(result) {
  const before = Array.isArray(result.history) ? result.history : [];
  const known = before.some((attempt) => attempt.date === result.date && attempt.score === result.score);
  return known ? before : [...before, result];
}

/**
 * The curve to draw: the distance if there is one, otherwise an error, otherwise the first column that is not time.
 * @param {Result} result
 */
export function curveOf(result) {
  const curve = /** @type {Record<string, (number | null)[]>} */ (result.curve ?? {});
  const times = curve.time_s;
  const names = Object.keys(curve).filter((name) => name !== "time_s");
  const containing = (/** @type {string} */ word) => names.find((candidate) => candidate.includes(word));
  const name = containing("distance") ?? containing("error") ?? names[0];
  if (!times || !name) return null;
  return { name, times: times.map(Number), values: curve[name].map((value) => (value === null ? NaN : Number(value))) };
}
