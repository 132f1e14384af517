// What a task shows in the top view: targets, lines to follow, gates, areas, and the triangle on the vehicle that is to
// be laid over the target's (Royer 1985, figure 7.2).
import { TEXT, YELLOW, colourOr, font } from "../palette.js";
import { path, write } from "./draw.js";

/** @typedef {import("../types.js").Mark & Record<string, any>} Mark */
/** @typedef {import("../types.js").SourceHello} SourceHello */
/** @typedef {import("./projection.js").Point} Point */
/** @typedef {import("./projection.js").Projection} Projection */
/** @typedef {CanvasRenderingContext2D} Pen */

const DEG = Math.PI / 180;

/**
 * A point of a level body: ahead, to starboard, to north and east.
 * @param {{north: number, east: number, heading: number}} vehicle
 * @param {number} ahead
 * @param {number} right
 * @returns {Point}
 */
export function ofBody(vehicle, ahead, right) {
  const [sine, cosine] = [Math.sin(vehicle.heading * DEG), Math.cos(vehicle.heading * DEG)];
  return [vehicle.north + ahead * cosine - right * sine, vehicle.east + ahead * sine + right * cosine];
}

/**
 * The points of a mark, north and east; those of a mark on the vehicle are given in body axes.
 * @param {Mark} mark
 * @param {{north: number, east: number, heading: number}} vehicle
 * @param {boolean} [body]
 * @returns {Point[]}
 */
export function pointsOf(mark, vehicle, body = false) {
  /** @type {number[][]} */
  const given = mark.points ?? (mark.center ? [mark.center] : []);
  return given.map(([x, y]) => (body ? ofBody(vehicle, x, y) : [x, y]));
}

/**
 * A ring seen from above is an ellipse: its radius across its axis, that times the axis' upright share along it.
 * @param {number} radius
 * @param {number[]} axis north, east, down
 * @returns {{across: number, along: number, direction: number}} direction of the axis, deg from north
 */
export function ringFromAbove(radius, axis) {
  const size = Math.hypot(axis[0], axis[1], axis[2]) || 1;
  return {
    across: radius,
    along: (radius * Math.abs(axis[2])) / size,
    direction: Math.atan2(axis[1], axis[0]) / DEG,
  };
}

const SAME_M = 0.05;

/**
 * The structures that a map may show: those that a task hides only once a mark says where they are.
 * @param {SourceHello} source
 * @returns {import("../types.js").Structure[]}
 */
export function onTheMap(source) {
  /** @type {any} */
  const task = source.task;
  const hidden = new Set(Array.isArray(task?.hidden) ? task.hidden : []);
  const found = /** @type {Mark[]} */ (source.marks ?? []).filter((mark) => mark.kind === "point");
  return (source.scene?.structures ?? []).filter(({ name, center_n: at }) => !hidden.has(name)
    || found.some(({ points = [] }) => points.some((point) => point.every((x, k) => Math.abs(x - at[k]) < SAME_M))));
}

/**
 * What a task draws on the vehicle itself.
 * @param {SourceHello | undefined} source
 * @returns {Mark[]}
 */
export function onVehicle(source) {
  /** @type {any} */
  const said = source;
  return said?.vehicle_marks ?? said?.task?.vehicle_marks ?? [];
}

/**
 * @param {Pen} pen
 * @param {Projection} projection
 * @param {Mark[]} marks
 * @param {boolean} [body] given in body axes
 */
export function drawMarks(pen, projection, marks, body = false) {
  for (const mark of marks) {
    const points = pointsOf(mark, projection, body).map(([north, east]) => projection.screen(north, east));
    if (points.length === 0) continue;
    pen.strokeStyle = pen.fillStyle = colourOr(mark.colour, YELLOW);
    pen.lineWidth = 2;
    draw(pen, mark, points, projection);
    if (mark.label && mark.kind !== "spot") label(pen, mark.label, points); // a spot is for the camera
  }
}

/**
 * @param {Pen} pen
 * @param {Mark} mark
 * @param {Point[]} points on the screen
 * @param {Projection} projection
 */
function draw(pen, mark, points, projection) {
  const [x, y] = points[0];
  switch (mark.kind) {
    case "triangle":
      path(pen, points, true);
      pen.globalAlpha = 0.3;
      pen.fill();
      pen.globalAlpha = 1;
      pen.stroke();
      break;
    case "line":
      pen.setLineDash([8, 5]);
      path(pen, points);
      pen.stroke();
      pen.setLineDash([]);
      break;
    case "gate":
    case "spot":
      path(pen, points, true);
      pen.lineWidth = 4; // an upright frame is a line from above
      pen.stroke();
      break;
    case "ring": {
      const seen = ringFromAbove(mark.radius_m ?? 1, mark.axis ?? [0, 0, 1]);
      const { scale } = projection;
      pen.beginPath();
      pen.ellipse(x, y, scale * seen.across, scale * seen.along, projection.turn(seen.direction), 0, 2 * Math.PI);
      pen.stroke();
      break;
    }
    default:
      pen.beginPath();
      pen.arc(x, y, 4, 0, 2 * Math.PI);
      pen.fill();
  }
}

/**
 * @param {Pen} pen
 * @param {string} text
 * @param {Point[]} points
 */
function label(pen, text, points) {
  const x = Math.max(...points.map((point) => point[0]));
  const y = Math.min(...points.map((point) => point[1]));
  pen.font = font(12);
  pen.fillStyle = TEXT;
  write(pen, text, x + 6, y - 4);
}
