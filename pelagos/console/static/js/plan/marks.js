// Draws the marks of a task in the top view: targets, lines to follow, gates, areas, and the triangle on the vehicle
// that the pilot lays over that of the target (Royer 1985, figure 7.2).
import { TEXT, YELLOW, colourOr, font } from "../palette.js";
import { path, write } from "./draw.js";

/** @typedef {import("../types.js").Mark & Record<string, any>} Mark */
/** @typedef {import("../types.js").SourceHello} SourceHello */
/** @typedef {import("./projection.js").Point} Point */
/** @typedef {import("./projection.js").Projection} Projection */
/** @typedef {CanvasRenderingContext2D} Pen */

const DEG = Math.PI / 180;

/**
 * The north and east of a point given ahead and to starboard of a level vehicle.
 * @param {{north: number, east: number, heading: number}} vehicle
 * @param {number} ahead
 * @param {number} right
 * @returns {Point}
 */
export function bodyToWorld(vehicle, ahead, right) {
  const [sine, cosine] = [Math.sin(vehicle.heading * DEG), Math.cos(vehicle.heading * DEG)];
  return [vehicle.north + ahead * cosine - right * sine, vehicle.east + ahead * sine + right * cosine];
}

/**
 * The points of a mark, north and east, m.
 * @param {Mark} mark
 * @param {{north: number, east: number, heading: number}} vehicle
 * @param {boolean} [body] the mark is on the vehicle, in body axes
 * @returns {Point[]}
 */
export function markPoints(mark, vehicle, body = false) {
  /** @type {number[][]} */
  const points = mark.points ?? (mark.center ? [mark.center] : []);
  return points.map(([x, y]) => (body ? bodyToWorld(vehicle, x, y) : [x, y]));
}

/**
 * The ellipse of a ring seen from above. Along the axis, the radius shrinks by the vertical component of the axis.
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

const SAME_M = 0.05; // a mark within this distance of a structure's centre marks it

/**
 * The structures that a map may show. One that the task hides is included once a point mark lies at its centre.
 * @param {SourceHello} source
 * @returns {import("../types.js").Structure[]}
 */
export function knownStructures(source) {
  /** @type {any} */
  const task = source.task;
  const hidden = new Set(Array.isArray(task?.hidden) ? task.hidden : []);
  const marked = /** @type {Mark[]} */ (source.marks ?? []).filter((mark) => mark.kind === "point");
  return (source.scene?.structures ?? []).filter(({ name, center_n: at }) => !hidden.has(name)
    || marked.some(({ points = [] }) => points.some((point) => point.every((x, k) => Math.abs(x - at[k]) < SAME_M))));
}

/**
 * The marks of a task that are drawn on the vehicle itself, in body axes.
 * @param {SourceHello | undefined} source
 * @returns {Mark[]}
 */
export function vehicleMarks(source) {
  /** @type {any} */
  const fields = source;
  return fields?.vehicle_marks ?? fields?.task?.vehicle_marks ?? [];
}

/**
 * Draw marks with their labels.
 * @param {Pen} pen
 * @param {Projection} projection
 * @param {Mark[]} marks
 * @param {boolean} [body] their points are in body axes
 */
export function drawMarks(pen, projection, marks, body = false) {
  for (const mark of marks) {
    const points = markPoints(mark, projection, body).map(([north, east]) => projection.screen(north, east));
    if (points.length === 0) continue;
    pen.strokeStyle = pen.fillStyle = colourOr(mark.colour, YELLOW);
    pen.lineWidth = 2;
    draw(pen, mark, points, projection);
    if (mark.label && mark.kind !== "spot") label(pen, mark.label, points); // the camera view labels spots
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
      const ellipse = ringFromAbove(mark.radius_m ?? 1, mark.axis ?? [0, 0, 1]);
      const { scale } = projection;
      pen.beginPath();
      const angle = projection.screenAngle(ellipse.direction);
      pen.ellipse(x, y, scale * ellipse.across, scale * ellipse.along, angle, 0, 2 * Math.PI);
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
