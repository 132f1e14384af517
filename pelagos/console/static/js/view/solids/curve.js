// Interpolates a curve through points: a centripetal Catmull-Rom spline, which does not loop where points are close.

/**
 * Write points of the curve into `out`, `between` of them per segment; the curve passes through every input point.
 * Knots t_i are spaced by the square root of the distance (Yuksel et al. 2011); Barry and Goldman's pyramid gives the
 * slopes.
 * @param {Float32Array | number[]} points x, y, z of each
 * @param {number} between
 * @param {Float32Array} out 3 ((n - 1) between + 1) numbers
 * @returns {number} number of points written
 */
export function smoothLine(points, between, out) {
  const count = points.length / 3;
  let at = 0;
  for (let i = 0; i + 1 < count; i += 1) {
    const [before, after] = [Math.max(i - 1, 0), Math.min(i + 2, count - 1)];
    const d0 = knotInterval(points, before, i);
    const d1 = knotInterval(points, i, i + 1);
    const d2 = knotInterval(points, i + 1, after);
    for (let k = 0; k < between; k += 1) {
      const u = k / between;
      for (let axis = 0; axis < 3; axis += 1) {
        const p0 = points[3 * before + axis];
        const p1 = points[3 * i + axis];
        const p2 = points[3 * (i + 1) + axis];
        const p3 = points[3 * after + axis];
        out[at] = segment(p0, p1, p2, p3, d0, d1, d2, u);
        at += 1;
      }
    }
  }
  for (let axis = 0; axis < 3; axis += 1) {
    out[at] = points[3 * (count - 1) + axis];
    at += 1;
  }
  return at / 3;
}

/**
 * Knot interval between two points; not zero, because slopes divide by it.
 * @param {Float32Array | number[]} points
 * @param {number} i
 * @param {number} j
 */
function knotInterval(points, i, j) {
  const length = Math.hypot(
    points[3 * j] - points[3 * i], points[3 * j + 1] - points[3 * i + 1], points[3 * j + 2] - points[3 * i + 2],
  );
  return Math.max(Math.sqrt(length), 1e-6);
}

/**
 * One coordinate between p1 and p2, as a Hermite cubic with the slopes of the pyramid.
 * @param {number} p0
 * @param {number} p1
 * @param {number} p2
 * @param {number} p3
 * @param {number} d0 knot interval from p0 to p1
 * @param {number} d1 from p1 to p2
 * @param {number} d2 from p2 to p3
 * @param {number} u 0..1
 */
function segment(p0, p1, p2, p3, d0, d1, d2, u) {
  const first = p0 === p1 && d0 <= 1e-6;
  const last = p2 === p3 && d2 <= 1e-6;
  const m1 = first ? p2 - p1 : d1 * ((p1 - p0) / d0 - (p2 - p0) / (d0 + d1) + (p2 - p1) / d1);
  const m2 = last ? p2 - p1 : d1 * ((p2 - p1) / d1 - (p3 - p1) / (d1 + d2) + (p3 - p2) / d2);
  const [u2, u3] = [u * u, u * u * u];
  return (2 * u3 - 3 * u2 + 1) * p1 + (u3 - 2 * u2 + u) * m1 + (3 * u2 - 2 * u3) * p2 + (u3 - u2) * m2;
}
