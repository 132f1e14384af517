// Draws the marks of a task in the water (triangles, spots, rings, gates, lines and points with labels) and on the
// vehicle, the waypoints of a mission, and the places of collisions.
import { Group, Vector3 } from "../../vendor/three.js";
import { Labels } from "./labels.js";
import { Drawing, Lines } from "./lines.js";

/** @typedef {import("../types.js").Mark} Mark */
/** @typedef {import("../types.js").Sample} Sample */
/** @typedef {import("./water/water.js").Water} Water */
/** @typedef {[number, number, number]} Vector */
/** @typedef {Mark & {center?: Vector, axis?: Vector, normal?: Vector, radius_m?: number}} AnyMark */

const ORANGE = "#E69F00";
const BLUE = "#56B4E9";
const VERMILION = "#D55E00";
const CIRCLE_CORNERS = 40;
const MOST_COLLISIONS = 12;

/**
 * Corners of a circle.
 * @param {Vector} center
 * @param {Vector} axis
 * @param {number} radius_m
 * @returns {Vector[]}
 */
export function circle(center, axis, radius_m) {
  const ahead = new Vector3(...axis).normalize();
  const across = new Vector3(0, 0, 1).cross(ahead);
  if (across.lengthSq() < 1e-9) across.set(0, 1, 0);
  across.normalize();
  const down = new Vector3().crossVectors(ahead, across);
  return Array.from({ length: CIRCLE_CORNERS }, (_, i) => {
    const angle = (2 * Math.PI * i) / CIRCLE_CORNERS;
    const [c, s] = [radius_m * Math.cos(angle), radius_m * Math.sin(angle)];
    return [
      center[0] + c * across.x + s * down.x, center[1] + c * across.y + s * down.y,
      center[2] + c * across.z + s * down.z,
    ];
  });
}

/**
 * Draw the edges of an octahedron.
 * @param {Drawing} drawing
 * @param {Vector} at
 * @param {number} size_m
 * @param {string} colour
 */
function diamond(drawing, at, size_m, colour) {
  /** @type {(axis: number, sign: number) => Vector} */
  const tip = (axis, sign) => {
    const point = /** @type {Vector} */ ([...at]);
    point[axis] += sign * size_m;
    return point;
  };
  const belt = [tip(0, 1), tip(1, 1), tip(0, -1), tip(1, -1)];
  drawing.path(belt, colour, true);
  for (const corner of belt) {
    drawing.line(tip(2, -1), corner, colour);
    drawing.line(tip(2, 1), corner, colour);
  }
}

/**
 * Draw a mark by its kind.
 * @param {Drawing} drawing
 * @param {AnyMark} mark
 */
export function drawMark(drawing, mark) {
  const colour = mark.colour ?? ORANGE;
  const points = mark.points ?? [];
  const center = mark.center ?? points[0];
  if (mark.kind === "ring" && center) {
    drawing.path(circle(center, mark.axis ?? mark.normal ?? [1, 0, 0], mark.radius_m ?? 1), colour, true);
  } else if (mark.kind === "point" && center) {
    diamond(drawing, center, mark.radius_m ?? 0.25, colour);
  } else if (mark.kind === "line") {
    drawing.path(points, colour, false);
  } else {
    drawing.path(points, colour, true);
    if (points.length > 2) drawing.pane(points, colour, mark.kind === "spot" ? 0.85 : 0.22);
  }
}

/**
 * The place of a mark's label: above its top; for a line above its start.
 * @param {AnyMark} mark
 * @returns {Vector | null}
 */
function labelPlace(mark) {
  const points = mark.points ?? [];
  if (mark.center) return [mark.center[0], mark.center[1], mark.center[2] - (mark.radius_m ?? 0.3) - 0.15];
  if (points.length === 0) return null;
  const top = Math.min(...points.map((point) => point[2]));
  const start = mark.kind === "line" ? points[0] : null;
  const sum = points.reduce((total, point) => [total[0] + point[0], total[1] + point[1]], [0, 0]);
  return start ? [start[0], start[1], start[2] - 0.4] : [sum[0] / points.length, sum[1] / points.length, top - 0.2];
}

/** The meshes and labels of all marks. */
export class Marks {
  /** @param {Water} water */
  constructor(water) {
    this.water = water;
    this.group = new Group();
    this.fixed = new Lines(water, 3, 0.3);
    this.path = new Lines(water, 2.5, 1.5); // starts farther away, because the vehicle flies along it
    this.onBody = new Lines(water, 3, 0.05);
    this.onBody.mesh.matrixAutoUpdate = false;
    this.collisions = new Lines(water, 3, 0.5);
    this.hasOnBody = false;
    /** @type {Vector[]} */
    this.collisionPlaces = [];
    this.labels = new Labels();
    this.group.add(this.fixed.mesh, this.path.mesh, this.onBody.mesh, this.collisions.mesh, this.labels.group);
  }

  /**
   * Replace all marks and clear the collisions.
   * @param {AnyMark[]} marks world axes
   * @param {AnyMark[]} onBody marks on the vehicle, body axes
   * @param {Vector[]} waypoints
   */
  set(marks, onBody, waypoints) {
    const drawing = new Drawing();
    this.labels.clear();
    for (const mark of marks) {
      drawMark(drawing, mark);
      const at = labelPlace(mark);
      if (mark.label && at) this.labels.add(mark.label, at, mark.colour ?? ORANGE);
    }
    this.fixed.show(drawing);
    const route = new Drawing();
    waypoints.forEach((point, i) => {
      diamond(route, point, 0.35, BLUE);
      this.labels.add(String(i + 1), [point[0], point[1], point[2] - 0.7], BLUE);
    });
    route.path(waypoints, BLUE, false);
    this.path.show(route);
    const body = new Drawing();
    for (const mark of onBody) drawMark(body, mark);
    this.onBody.show(body);
    this.hasOnBody = onBody.length > 0;
    this.collisionPlaces = [];
    this.collisions.show(new Drawing());
  }

  /**
   * Place marks and labels for one picture.
   * @param {Sample} sample
   * @param {import("../../vendor/three.js").Object3D} body the vehicle, placed and turned
   * @param {import("../../vendor/three.js").PerspectiveCamera} camera placed
   * @param {number} pixel_m width of a pixel at a distance of 1 m
   * @param {boolean} aboard the camera is on the vehicle, where marks on the hull would cover the picture
   */
  update(sample, body, camera, pixel_m, aboard) {
    for (const lines of [this.fixed, this.path, this.onBody, this.collisions]) lines.update(pixel_m);
    this.onBody.mesh.visible = !aboard && this.hasOnBody;
    this.onBody.mesh.matrix.copy(body.matrixWorld);
    this.addCollision(sample);
    this.labels.update(camera, this.water.uniforms.uEye.value, 2.2 * this.water.visibility_m, pixel_m);
  }

  /**
   * Add the place of the last collision if it is new; clear all after a reset of the collision counter.
   * @param {Sample} sample
   */
  addCollision(sample) {
    const at = /** @type {Vector} */ ([
      sample.get("crash_north_m"), sample.get("crash_east_m"), sample.get("crash_depth_m"),
    ]);
    if (Number.isNaN(at[0] + at[1] + at[2])) {
      if (this.collisionPlaces.length > 0 && sample.get("collisions") === 0) this.showCollisions([]);
      return;
    }
    if (this.collisionPlaces.some((p) => Math.hypot(p[0] - at[0], p[1] - at[1], p[2] - at[2]) < 0.05)) return;
    this.showCollisions([...this.collisionPlaces, at].slice(-MOST_COLLISIONS));
  }

  /**
   * Draw a star at each place of a collision.
   * @param {Vector[]} places
   */
  showCollisions(places) {
    this.collisionPlaces = places;
    const drawing = new Drawing();
    for (const at of places) {
      // rays in all directions with an open centre, spread by the golden angle of 2.399963 rad
      for (let i = 0; i < 14; i += 1) {
        const polar = Math.acos(1 - (2 * (i + 0.5)) / 14);
        const round = 2.399963 * i;
        const direction = [Math.sin(polar) * Math.cos(round), Math.sin(polar) * Math.sin(round), Math.cos(polar)];
        const [near, far] = [0.12, 0.3].map((r) => /** @type {Vector} */ (
          [at[0] + r * direction[0], at[1] + r * direction[1], at[2] + r * direction[2]]));
        drawing.line(near, far, VERMILION);
      }
    }
    this.collisions.show(drawing);
  }
}
