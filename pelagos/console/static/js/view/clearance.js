// Keeps lenses and lamps out of structures, and measures distances along rays. The lens is a few centimetres from the
// hull's surface, and contact forces let the hull enter a structure by as much: the picture would show its inside.

/** @typedef {import("../types.js").Structure} Structure */
/** @typedef {[number, number, number]} Vector */

/**
 * A vector in a structure's axes: the transpose of structure-to-world.
 * @param {number[]} a structure-to-world, nine numbers row by row
 * @param {Vector | number[]} v
 * @returns {Vector}
 */
function toStructure(a, v) {
  return [
    a[0] * v[0] + a[3] * v[1] + a[6] * v[2],
    a[1] * v[0] + a[4] * v[1] + a[7] * v[2],
    a[2] * v[0] + a[5] * v[1] + a[8] * v[2],
  ];
}

/**
 * A point in a structure's axes, from its centre.
 * @param {Structure} item
 * @param {Vector | number[]} point
 */
function pointInStructure(item, point) {
  const c = item.center_n;
  return toStructure(item.axes_n, [point[0] - c[0], point[1] - c[1], point[2] - c[2]]);
}

/**
 * Distance along a ray to the bounding box of a structure, or to the water side of a plane; Infinity if the ray misses.
 * @param {Structure} item
 * @param {Vector} from
 * @param {Vector} direction unit vector
 */
export function rangeTo(item, from, direction) {
  const start = pointInStructure(item, from);
  const slope = toStructure(item.axes_n, direction);
  if (item.kind === "plane") return slope[2] > 1e-9 ? Math.max(-start[2] / slope[2], 0) : Infinity;
  // slab method: the ray is inside the box where its three intervals overlap
  let [near, far] = [0, Infinity];
  for (let axis = 0; axis < 3; axis += 1) {
    const half = item.half_m[axis];
    if (Math.abs(slope[axis]) < 1e-9) {
      if (Math.abs(start[axis]) > half) return Infinity;
      continue;
    }
    const [low, high] = [(-half - start[axis]) / slope[axis], (half - start[axis]) / slope[axis]];
    near = Math.max(near, Math.min(low, high));
    far = Math.min(far, Math.max(low, high));
  }
  return near <= far ? near : Infinity;
}

/**
 * The point itself, or the nearest one that is `least_m` away from a box, cylinder, sphere or plane. For a mesh it is
 * always the point itself, because its inside is unknown here.
 * @param {Structure} item
 * @param {Vector} point
 * @param {number} least_m
 * @returns {Vector}
 */
export function keepClear(item, point, least_m) {
  if (item.kind === "mesh") return point;
  const p = pointInStructure(item, point);
  const q = /** @type {Vector} */ ([...p]);
  if (item.kind === "plane") {
    q[2] = Math.min(p[2], -least_m);
  } else if (item.kind === "box") {
    moveOut(q, [0, 1, 2], item.half_m, least_m);
  } else if (item.kind === "sphere") {
    const size = Math.hypot(...p);
    const radius = Math.max(size, item.half_m[0] + least_m);
    for (const k of [0, 1, 2]) q[k] = size > 0 ? (p[k] * radius) / size : k === 2 ? -radius : 0;
  } else {
    // a cylinder is a rectangle in the plane of axial and radial coordinate
    const away = Math.hypot(p[1], p[2]);
    const flat = [p[0], away];
    moveOut(flat, [0, 1], item.half_m, least_m);
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
 * Move a point out of a box around the origin by the shortest path, until it is `least_m` away.
 * @param {number[]} p changed
 * @param {number[]} axes
 * @param {number[]} half
 * @param {number} least_m
 */
function moveOut(p, axes, half, least_m) {
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
