// Keeping a camera out of solids: lens and hull are a few centimetres apart, and a contact that gives way by as much
// would show the inside of what was hit. Distances along a ray serve the iris and the free camera as well.

/** @typedef {import("../types.js").Structure} Structure */
/** @typedef {[number, number, number]} Vector */

/**
 * A direction or, with the centre taken off, a point in a structure's own axes: the transpose of own to world.
 * @param {number[]} a nine, row by row
 * @param {Vector | number[]} v
 * @returns {Vector}
 */
function own(a, v) {
  return [
    a[0] * v[0] + a[3] * v[1] + a[6] * v[2],
    a[1] * v[0] + a[4] * v[1] + a[7] * v[2],
    a[2] * v[0] + a[5] * v[1] + a[8] * v[2],
  ];
}

/**
 * @param {Structure} item
 * @param {Vector | number[]} point
 */
function ownPoint(item, point) {
  const c = item.center_n;
  return own(item.axes_n, [point[0] - c[0], point[1] - c[1], point[2] - c[2]]);
}

/**
 * Distance along a ray to a structure, taken as the box around it; to a plane, from its water side. Infinity if it
 * misses.
 * @param {Structure} item
 * @param {Vector} from
 * @param {Vector} way unit
 */
export function rangeTo(item, from, way) {
  const start = ownPoint(item, from);
  const pace = own(item.axes_n, way);
  if (item.kind === "plane") return pace[2] > 1e-9 ? Math.max(-start[2] / pace[2], 0) : Infinity;
  let [near, far] = [0, Infinity];
  for (let axis = 0; axis < 3; axis += 1) {
    const half = item.half_m[axis];
    if (Math.abs(pace[axis]) < 1e-9) {
      if (Math.abs(start[axis]) > half) return Infinity;
      continue;
    }
    const [one, two] = [(-half - start[axis]) / pace[axis], (half - start[axis]) / pace[axis]];
    near = Math.max(near, Math.min(one, two));
    far = Math.min(far, Math.max(one, two));
  }
  return near <= far ? near : Infinity;
}

/**
 * The same point, or the nearest one that is `least_m` away from a box, cylinder, sphere or plane. A mesh is left as it
 * is: its inside is not known here.
 * @param {Structure} item
 * @param {Vector} point
 * @param {number} least_m
 * @returns {Vector}
 */
export function clearOf(item, point, least_m) {
  if (item.kind === "mesh") return point;
  const p = ownPoint(item, point);
  const q = /** @type {Vector} */ ([...p]);
  if (item.kind === "plane") {
    q[2] = Math.min(p[2], -least_m);
  } else if (item.kind === "box") {
    leave(q, [0, 1, 2], item.half_m, least_m);
  } else if (item.kind === "sphere") {
    const size = Math.hypot(...p);
    const wanted = Math.max(size, item.half_m[0] + least_m);
    for (const k of [0, 1, 2]) q[k] = size > 0 ? (p[k] * wanted) / size : k === 2 ? -wanted : 0;
  } else {
    // along its axis and away from it, as a rectangle
    const away = Math.hypot(p[1], p[2]);
    const flat = [p[0], away];
    leave(flat, [0, 1], item.half_m, least_m);
    q[0] = flat[0];
    for (const k of [1, 2]) q[k] = away > 0 ? (p[k] * flat[1]) / away : k === 2 ? -flat[1] : 0;
  }
  if (q[0] === p[0] && q[1] === p[1] && q[2] === p[2]) return point;
  const a = item.axes_n;
  const c = item.center_n;
  return [
    c[0] + a[0] * q[0] + a[1] * q[1] + a[2] * q[2],
    c[1] + a[3] * q[0] + a[4] * q[1] + a[5] * q[2],
    c[2] + a[6] * q[0] + a[7] * q[1] + a[8] * q[2],
  ];
}

/**
 * Move a point out of a box about the origin by the shortest way, until `least_m` is between them.
 * @param {number[]} p changed
 * @param {number[]} axes
 * @param {number[]} half
 * @param {number} least_m
 */
function leave(p, axes, half, least_m) {
  const out = axes.map((k) => Math.abs(p[k]) - half[k]);
  const most = Math.max(...out);
  if (most <= 0) {
    const k = axes[out.indexOf(most)];
    p[k] = (p[k] < 0 ? -1 : 1) * (half[k] + least_m);
    return;
  }
  const away = Math.hypot(...out.map((d) => Math.max(d, 0)));
  if (away >= least_m) return;
  for (const [i, k] of axes.entries()) {
    if (out[i] > 0) p[k] = (p[k] < 0 ? -1 : 1) * (half[k] + (out[i] * least_m) / away);
  }
}
