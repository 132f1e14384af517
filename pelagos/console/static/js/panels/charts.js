// Draws two charts: a bar for each attempt, and a curve over time with its zero line.

const LINE = "#56b4e9"; // Okabe-Ito
const INSIDE = "#d55e00"; // negative distances: inside the structure
const QUIET = "#8ea3b0";

/**
 * The ends of an axis that includes all values and zero, as multiples of a round step.
 * @param {number[]} values
 * @returns {{low: number, high: number, step: number}}
 */
export function axisOf(values) {
  const known = values.filter(Number.isFinite);
  const low = Math.min(0, ...known);
  const high = Math.max(0, ...known);
  const span = high - low || 1;
  const power = 10 ** Math.floor(Math.log10(span / 3));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= span / 4) ?? 10);
  return { low: Math.floor(low / step) * step, high: Math.max(Math.ceil(high / step) * step, step), step };
}

/**
 * Draw a bar for each score, the last one highlighted.
 * @param {HTMLCanvasElement} canvas
 * @param {number[]} scores 0 to 100
 */
export function drawBars(canvas, scores) {
  const pen = canvas.getContext("2d");
  if (!pen || scores.length === 0) return;
  const { width, height } = canvas;
  const bottom = height - 18;
  const spacing = Math.min(48, (width - 30) / scores.length);
  pen.clearRect(0, 0, width, height);
  pen.font = "12px sans-serif";
  pen.textAlign = "center";
  scores.forEach((score, at) => {
    const tall = ((bottom - 16) * Math.max(0, Math.min(100, score))) / 100;
    const x = 24 + spacing * at;
    pen.fillStyle = at === scores.length - 1 ? LINE : QUIET;
    pen.fillRect(x, bottom - tall, spacing * 0.7, Math.max(1, tall));
    if (spacing >= 24) {
      pen.fillText(score.toFixed(0), x + spacing * 0.35, bottom - tall - 4);
      pen.fillText(String(at + 1), x + spacing * 0.35, height - 4);
    }
  });
}

/**
 * Draw values over time.
 * @param {HTMLCanvasElement} canvas
 * @param {number[]} times s
 * @param {number[]} values NaN where unknown, which leaves a gap
 */
export function drawCurve(canvas, times, values) {
  const pen = canvas.getContext("2d");
  if (!pen || times.length < 2) return;
  const { width, height } = canvas;
  const { low, high, step } = axisOf(values);
  const last = times[times.length - 1];
  /** @param {number} time */
  const across = (time) => 34 + ((width - 40) * (time - times[0])) / (last - times[0] || 1);
  /** @param {number} value */
  const down = (value) => 8 + ((height - 28) * (high - value)) / (high - low);
  pen.clearRect(0, 0, width, height);
  pen.font = "12px sans-serif";
  pen.fillStyle = QUIET;
  pen.textAlign = "right";
  for (let value = low; value <= high + 1e-9; value += step) {
    pen.strokeStyle = Math.abs(value) < 1e-9 ? QUIET : "#22333f";
    pen.beginPath();
    pen.moveTo(34, down(value));
    pen.lineTo(width - 4, down(value));
    pen.stroke();
    pen.fillText(String(Number(value.toPrecision(3))), 30, down(value) + 4);
  }
  pen.textAlign = "center";
  pen.fillText(`${last.toFixed(0)} s`, width - 18, height - 4);
  for (let i = 1; i < times.length; i += 1) {
    if (!Number.isFinite(values[i - 1]) || !Number.isFinite(values[i])) continue;
    pen.strokeStyle = values[i - 1] < 0 || values[i] < 0 ? INSIDE : LINE;
    pen.beginPath();
    pen.moveTo(across(times[i - 1]), down(values[i - 1]));
    pen.lineTo(across(times[i]), down(values[i]));
    pen.stroke();
  }
}
