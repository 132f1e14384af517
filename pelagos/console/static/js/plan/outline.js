// Computes outlines of structures and vehicles for the top view: the convex hull of their corners seen from above.

/** @typedef {import("../types.js").Structure} Structure */
/** @typedef {import("../types.js").VehicleHello} VehicleHello */
/** @typedef {import("../types.js").Vector} Vector */
/** @typedef {[number, number]} Point north and east, or ahead and to starboard, m */

/**
 * @typedef {object} Outline
 * @property {string} name
 * @property {Point[]} points corners in order; for a wall its two far ends
 * @property {boolean} wall an upright plane without end
 * @property {number} top least depth, m
 * @property {number} bottom greatest depth, m
 * @property {string | null} colour
 */

const ROUND = 24; // corners of a circle
const FAR_M = 2000; // half the drawn length of a plane, which has no end
const UPRIGHT = 0.5; // a plane whose normal has a smaller horizontal part is not drawn

/**
 * Decode base64 of little-endian float32.
 * @param {string} text
 */
export function floats(text) {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let at = 0; at < raw.length; at += 1) bytes[at] = raw.charCodeAt(at);
  return new Float32Array(bytes.buffer, 0, bytes.length >> 2);
}

/**
 * The corners of a structure in its own axes. A cylinder lies along its x axis.
 * @param {Structure} structure
 * @returns {Vector[]}
 */
export function localCorners(structure) {
  const [a, b, c] = structure.half_m;
  /** @type {Vector[]} */
  const out = [];
  if (structure.kind === "mesh" && structure.mesh) {
    const numbers = floats(structure.mesh.positions);
    for (let at = 0; at + 2 < numbers.length; at += 3) out.push([numbers[at], numbers[at + 1], numbers[at + 2]]);
  } else if (structure.kind === "cylinder") {
    for (let at = 0; at < ROUND; at += 1) {
      const angle = (2 * Math.PI * at) / ROUND;
      for (const x of [-a, a]) out.push([x, b * Math.cos(angle), b * Math.sin(angle)]);
    }
  } else {
    for (const x of [-a, a]) for (const y of [-b, b]) for (const z of [-c, c]) out.push([x, y, z]);
  }
  return out;
}

/**
 * The outline of a structure from above.
 * @param {Structure} structure
 * @returns {Outline | null} null without an outline, as for a level plane
 */
export function outlineOf(structure) {
  const shared = { name: structure.name, colour: structure.colour ?? null, wall: false };
  const m = structure.axes_n;
  const [north, east, down] = structure.center_n;
  if (structure.kind === "sphere") {
    const radius = structure.half_m[0];
    const points = Array.from({ length: ROUND }, (_, at) => {
      const angle = (2 * Math.PI * at) / ROUND;
      return /** @type {Point} */ ([north + radius * Math.cos(angle), east + radius * Math.sin(angle)]);
    });
    return { ...shared, points, top: down - radius, bottom: down + radius };
  }
  if (structure.kind === "plane") {
    const horizontal = Math.hypot(m[2], m[5]); // part of the normal, the plane's z axis
    if (horizontal < UPRIGHT) return null;
    const along = [-m[5] / horizontal, m[2] / horizontal];
    /** @type {Point[]} */
    const points = [-FAR_M, FAR_M].map((far) => [north + far * along[0], east + far * along[1]]);
    return { ...shared, points, wall: true, top: -Infinity, bottom: Infinity };
  }
  const corners = localCorners(structure).map(([x, y, z]) => [
    north + m[0] * x + m[1] * y + m[2] * z,
    east + m[3] * x + m[4] * y + m[5] * z,
    down + m[6] * x + m[7] * y + m[8] * z,
  ]);
  if (corners.length === 0) return null;
  let top = Infinity;
  let bottom = -Infinity;
  for (const corner of corners) {
    top = Math.min(top, corner[2]);
    bottom = Math.max(bottom, corner[2]);
  }
  return { ...shared, points: hull(corners.map((corner) => [corner[0], corner[1]])), top, bottom };
}

/**
 * The convex hull by the monotone chain (Andrew 1979): corners in order, none on a straight edge.
 * @param {Point[]} points
 * @returns {Point[]}
 */
export function hull(points) {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  if (sorted.length < 3) return sorted;
  const lower = chain(sorted);
  const upper = chain(sorted.reverse());
  return [...lower.slice(0, -1), ...upper.slice(0, -1)];
}

/**
 * One half of the hull: the points at which the path turns to one side.
 * @param {Point[]} sorted
 * @returns {Point[]}
 */
function chain(sorted) {
  /** @type {Point[]} */
  const out = [];
  for (const point of sorted) {
    while (out.length >= 2 && area(out[out.length - 2], out[out.length - 1], point) <= 0) out.pop();
    out.push(point);
  }
  return out;
}

/**
 * Twice the signed area of a triangle.
 * @param {Point} a
 * @param {Point} b
 * @param {Point} c
 */
function area(a, b, c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/**
 * The opacity of a structure: 1 at the vehicle's depth, less with the vertical gap between them.
 * @param {number} top
 * @param {number} bottom
 * @param {number} depth
 */
export function depthOpacity(top, bottom, depth) {
  if (!Number.isFinite(depth)) return 1;
  const gap = Math.max(0, top - depth, depth - bottom);
  return Math.max(0.28, 1 - gap / 20);
}

/**
 * The meshes of a vehicle's skin: one, or one for each part.
 * @param {VehicleHello | undefined} vehicle
 * @returns {{positions: string}[]}
 */
function meshesOf(vehicle) {
  /** @type {any} */
  const skin = vehicle?.skin;
  if (!skin) return [];
  if (Array.isArray(skin.parts)) return skin.parts.map((/** @type {any} */ part) => part.mesh).filter(Boolean);
  return skin.positions ? [skin] : [];
}

/**
 * The outline of a vehicle from above in body axes (ahead, to starboard, m); a boat-like shape if it has no skin.
 * @param {VehicleHello | undefined} vehicle
 * @returns {Point[]}
 */
export function vehicleShape(vehicle) {
  const length = vehicle?.length_m && vehicle.length_m > 0 ? vehicle.length_m : 1;
  /** @type {Point[]} */
  const points = [];
  for (const mesh of meshesOf(vehicle)) {
    const numbers = floats(mesh.positions);
    for (let at = 0; at + 2 < numbers.length; at += 3) points.push([numbers[at], numbers[at + 1]]);
  }
  const outline = hull(points);
  if (outline.length >= 3) return outline;
  const half = length / 2;
  const beam = Math.max(0.1 * length, 0.3 * half);
  return [[half, 0], [0.6 * half, beam], [-half, beam], [-half, -beam], [0.6 * half, -beam]];
}

/**
 * The factor that enlarges a shape to a length of at least `least` px; 1 for a longer one.
 * @param {Point[]} shape
 * @param {number} scale px per m
 * @param {number} least px
 */
export function enlargement(shape, scale, least) {
  const aheads = shape.map((point) => point[0]);
  const length = Math.max(...aheads) - Math.min(...aheads);
  return length > 0 ? Math.max(1, least / (length * scale)) : 1;
}
