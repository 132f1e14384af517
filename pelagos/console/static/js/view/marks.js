// What a task shows in the water: triangles, spots, rings, gates, lines and points, each with its label; waypoints;
// what the task puts on the vehicle; and the places of collisions.
import { CanvasTexture, Group, Sprite, SpriteMaterial, Vector3 } from "../../vendor/three.js";
import { Drawing, Lines } from "./lines.js";

/** @typedef {import("../types.js").Mark} Mark */
/** @typedef {import("../types.js").Sample} Sample */
/** @typedef {import("./water.js").Water} Water */
/** @typedef {[number, number, number]} Vector */
/** @typedef {Mark & {center?: Vector, axis?: Vector, normal?: Vector, radius_m?: number}} AnyMark */

const ORANGE = "#E69F00";
const BLUE = "#56B4E9";
const VERMILION = "#D55E00";
const ROUND = 40;
const MOST_CRASHES = 12;
const LABEL_PIXELS = 26; // the line of text, at any distance

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
  return Array.from({ length: ROUND }, (_, i) => {
    const angle = (2 * Math.PI * i) / ROUND;
    const [c, s] = [radius_m * Math.cos(angle), radius_m * Math.sin(angle)];
    return [
      center[0] + c * across.x + s * down.x, center[1] + c * across.y + s * down.y,
      center[2] + c * across.z + s * down.z,
    ];
  });
}

/**
 * A small octahedron's edges.
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
 * @param {Drawing} drawing
 * @param {AnyMark} mark
 */
export function draw(drawing, mark) {
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
 * Where the label of a mark stands.
 * @param {AnyMark} mark
 * @returns {Vector | null}
 */
function labelPlace(mark) {
  const points = mark.points ?? [];
  if (mark.center) return [mark.center[0], mark.center[1], mark.center[2] - (mark.radius_m ?? 0.3) - 0.15];
  if (points.length === 0) return null;
  const top = Math.min(...points.map((point) => point[2]));
  const last = mark.kind === "line" ? points[0] : null;
  const sum = points.reduce((total, point) => [total[0] + point[0], total[1] + point[1]], [0, 0]);
  return last ? [last[0], last[1], last[2] - 0.4] : [sum[0] / points.length, sum[1] / points.length, top - 0.2];
}

export class Marks {
  /** @param {Water} water */
  constructor(water) {
    this.water = water;
    this.group = new Group();
    this.fixed = new Lines(water, 3);
    this.onBody = new Lines(water, 3);
    this.onBody.mesh.matrixAutoUpdate = false;
    this.crashes = new Lines(water, 3);
    /** @type {Vector[]} */
    this.crashPlaces = [];
    this.labels = new Group();
    this.group.add(this.fixed.mesh, this.onBody.mesh, this.crashes.mesh, this.labels);
  }

  /**
   * @param {AnyMark[]} marks
   * @param {AnyMark[]} onBody body axes
   * @param {Vector[]} waypoints
   */
  set(marks, onBody, waypoints) {
    const drawing = new Drawing();
    this.clearLabels();
    for (const mark of marks) {
      draw(drawing, mark);
      const at = labelPlace(mark);
      if (mark.label && at) this.addLabel(mark.label, at, mark.colour ?? ORANGE);
    }
    waypoints.forEach((point, i) => {
      diamond(drawing, point, 0.35, BLUE);
      this.addLabel(String(i + 1), [point[0], point[1], point[2] - 0.7], BLUE);
    });
    drawing.path(waypoints, BLUE, false);
    this.fixed.show(drawing);
    const body = new Drawing();
    for (const mark of onBody) draw(body, mark);
    this.onBody.show(body);
    this.crashPlaces = [];
    this.crashes.show(new Drawing());
  }

  clearLabels() {
    for (const label of /** @type {Sprite[]} */ ([...this.labels.children])) {
      label.material.map?.dispose();
      label.material.dispose();
      this.labels.remove(label);
    }
  }

  /**
   * @param {string} text
   * @param {Vector} at
   * @param {string} colour
   */
  addLabel(text, at, colour) {
    if (typeof document === "undefined") return;
    const canvas = document.createElement("canvas");
    const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    const font = "600 30px system-ui, sans-serif";
    pen.font = font;
    canvas.width = Math.ceil(pen.measureText(text).width) + 24;
    canvas.height = 44;
    pen.font = font;
    pen.textBaseline = "middle";
    pen.lineWidth = 6;
    pen.lineJoin = "round";
    pen.strokeStyle = "rgba(4, 14, 22, 0.85)";
    pen.strokeText(text, 12, 23);
    pen.fillStyle = colour;
    pen.fillText(text, 12, 23);
    const sprite = new Sprite(new SpriteMaterial({
      map: new CanvasTexture(canvas), depthWrite: false, transparent: true, sizeAttenuation: false,
    }));
    sprite.position.set(...at);
    sprite.userData.shape = [canvas.width / canvas.height, 1];
    sprite.renderOrder = 110;
    this.labels.add(sprite);
  }

  /**
   * @param {Sample} sample
   * @param {import("../../vendor/three.js").Object3D} body the vehicle, placed and turned
   * @param {number} pixel_m width of a pixel at a distance of 1 m
   */
  update(sample, body, pixel_m) {
    for (const lines of [this.fixed, this.onBody, this.crashes]) lines.update(pixel_m);
    this.onBody.mesh.matrix.copy(body.matrixWorld);
    this.noteCrash(sample);
    const eye = this.water.uniforms.uEye.value;
    const most = 2.2 * this.water.visibility_m;
    for (const label of /** @type {Sprite[]} */ (this.labels.children)) {
      const range = label.position.distanceTo(eye);
      label.visible = range < most;
      label.material.opacity = Math.min(1, 2 * (1 - range / most));
      const high = LABEL_PIXELS * pixel_m;
      label.scale.set(high * label.userData.shape[0], high, 1);
    }
  }

  /** @param {Sample} sample */
  noteCrash(sample) {
    const at = /** @type {Vector} */ ([
      sample.get("crash_north_m"), sample.get("crash_east_m"), sample.get("crash_depth_m"),
    ]);
    if (Number.isNaN(at[0] + at[1] + at[2])) {
      if (this.crashPlaces.length > 0 && sample.get("collisions") === 0) this.showCrashes([]);
      return;
    }
    if (this.crashPlaces.some((old) => Math.hypot(old[0] - at[0], old[1] - at[1], old[2] - at[2]) < 0.05)) return;
    this.showCrashes([...this.crashPlaces, at].slice(-MOST_CRASHES));
  }

  /** @param {Vector[]} places */
  showCrashes(places) {
    this.crashPlaces = places;
    const drawing = new Drawing();
    for (const at of places) {
      // a star of rays to all sides with an open middle
      for (let i = 0; i < 14; i += 1) {
        const polar = Math.acos(1 - (2 * (i + 0.5)) / 14);
        const round = 2.399963 * i;
        const way = [Math.sin(polar) * Math.cos(round), Math.sin(polar) * Math.sin(round), Math.cos(polar)];
        const [near, far] = [0.12, 0.3].map((r) => /** @type {Vector} */ (
          [at[0] + r * way[0], at[1] + r * way[1], at[2] + r * way[2]]));
        drawing.line(near, far, VERMILION);
      }
    }
    this.crashes.show(drawing);
  }
}
