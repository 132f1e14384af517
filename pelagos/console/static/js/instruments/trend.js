// Estimates how fast a value changes: the slope of the least-squares line through its latest samples.

const SPAN_S = 1.5;
const FEWEST = 4; // samples for a slope

/**
 * Least-squares slope: sum (t - tm)(v - vm) / sum (t - tm)^2.
 * @param {[number, number][]} points time, value
 */
export function slope(points) {
  const n = points.length;
  if (n < 2) return NaN;
  const tm = points.reduce((sum, point) => sum + point[0], 0) / n;
  const vm = points.reduce((sum, point) => sum + point[1], 0) / n;
  let numerator = 0;
  let denominator = 0;
  for (const [t, v] of points) {
    numerator += (t - tm) * (v - vm);
    denominator += (t - tm) ** 2;
  }
  return denominator > 0 ? numerator / denominator : NaN;
}

/** The rate of change of one value. */
export class Trend {
  /** @param {number} [span] of the samples that count, s */
  constructor(span = SPAN_S) {
    this.span = span;
    /** @type {[number, number][]} */
    this.points = [];
  }

  /**
   * Add a sample and return the rate per second, NaN for too few samples. A gap or a step back in time restarts it.
   * @param {number} time s
   * @param {number} value
   */
  add(time, value) {
    const last = this.points.at(-1);
    if (!Number.isFinite(value)) this.points = [];
    else if (last && (time < last[0] || time - last[0] > this.span)) this.points = [[time, value]];
    else if (!last || time > last[0]) this.points.push([time, value]);
    while (this.points.length > 0 && this.points[0][0] < time - this.span) this.points.shift();
    return this.rate;
  }

  get rate() {
    return this.points.length < FEWEST ? NaN : slope(this.points);
  }

  clear() {
    this.points = [];
  }
}
