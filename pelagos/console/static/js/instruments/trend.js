// How fast a value is changing: the slope of the straight line that fits its last moments best.

const SPAN_S = 1.5;
const FEWEST = 4;

/**
 * Least-squares slope: sum (t - tm)(v - vm) / sum (t - tm)^2.
 * @param {[number, number][]} points time, value
 */
export function slope(points) {
  const n = points.length;
  if (n < 2) return NaN;
  const tm = points.reduce((sum, point) => sum + point[0], 0) / n;
  const vm = points.reduce((sum, point) => sum + point[1], 0) / n;
  let above = 0;
  let below = 0;
  for (const [t, v] of points) {
    above += (t - tm) * (v - vm);
    below += (t - tm) ** 2;
  }
  return below > 0 ? above / below : NaN;
}

export class Trend {
  /** @param {number} [span] seconds looked back */
  constructor(span = SPAN_S) {
    this.span = span;
    /** @type {[number, number][]} */
    this.points = [];
  }

  /**
   * The rate per second, NaN until there is enough to tell. Time that runs back, or a gap, starts anew.
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
