// Draws the layers of the top view: structures, trail, waypoints, field of view, tether, hold, vehicle, current.
import { CAUTION, EDGE, GROUND, HOLD, ORANGE, QUIET, SKY, TEXT, YELLOW, colourOr, font } from "../palette.js";
import { arrow, backing, path, write } from "./draw.js";
import { depthOpacity, enlargement } from "./outline.js";

/** @typedef {import("../types.js").Sample} Sample */
/** @typedef {import("../types.js").Vector} Vector */
/** @typedef {import("../types.js").CameraHello} CameraHello */
/** @typedef {import("./outline.js").Outline} Outline */
/** @typedef {import("./projection.js").Point} Point */
/** @typedef {import("./projection.js").Projection} Projection */
/** @typedef {CanvasRenderingContext2D} Pen */

const TETHER_POINTS = 21; // in the columns of a snapshot
const DEG = Math.PI / 180;

/**
 * Draw outlines of structures, fainter the farther they are above or below the vehicle.
 * @param {Pen} pen
 * @param {Projection} projection
 * @param {Outline[]} outlines
 * @param {number} depth of the vehicle, m
 */
export function drawStructures(pen, projection, outlines, depth) {
  for (const outline of outlines) {
    pen.globalAlpha = depthOpacity(outline.top, outline.bottom, depth);
    const points = outline.points.map(([north, east]) => projection.screen(north, east));
    path(pen, points, !outline.wall);
    if (!outline.wall) {
      pen.fillStyle = colourOr(outline.colour, "#56666f");
      pen.fill();
    }
    pen.strokeStyle = outline.wall ? EDGE : "#b9c7cf";
    pen.lineWidth = outline.wall ? 3 : 1.2;
    pen.stroke();
  }
  pen.globalAlpha = 1;
}

/**
 * Draw the trail in three parts, newer ones more opaque.
 * @param {Pen} pen
 * @param {Projection} projection
 * @param {import("./trail.js").TrailPoint[]} points
 * @param {number} now s
 */
export function drawTrail(pen, projection, points, now) {
  pen.strokeStyle = YELLOW;
  pen.lineWidth = 1.5;
  for (const [older, newer, alpha] of [[Infinity, 180, 0.3], [180, 30, 0.55], [30, -1, 0.9]]) {
    // One second of overlap closes the gap to the part before.
    const part = points.filter((point) => now - point.time <= older + 1 && now - point.time > newer);
    if (part.length < 2) continue;
    pen.globalAlpha = alpha;
    path(pen, part.map((point) => projection.screen(point.north, point.east)));
    pen.stroke();
  }
  pen.globalAlpha = 1;
}

/**
 * Draw the waypoints of the mission, numbered, and the line through them.
 * @param {Pen} pen
 * @param {Projection} projection
 * @param {Vector[]} waypoints
 */
export function drawWaypoints(pen, projection, waypoints) {
  const points = waypoints.map((point) => projection.screen(point[0], point[1]));
  if (points.length === 0) return;
  pen.strokeStyle = HOLD;
  pen.lineWidth = 1.2;
  pen.setLineDash([5, 4]);
  path(pen, points);
  pen.stroke();
  pen.setLineDash([]);
  pen.font = font(12);
  points.forEach(([x, y], at) => {
    pen.beginPath();
    pen.arc(x, y, 4, 0, 2 * Math.PI);
    pen.fillStyle = GROUND;
    pen.fill();
    pen.stroke();
    pen.fillStyle = TEXT;
    write(pen, String(at + 1), x + 7, y - 4);
  });
}

/**
 * The camera whose picture the pilot sees.
 * @param {import("../types.js").VehicleHello | undefined} vehicle
 * @param {Sample} sample
 * @returns {CameraHello | undefined}
 */
export function cameraInUse(vehicle, sample) {
  const index = sample.get("camera_index");
  return vehicle?.cameras?.[index > 0 ? index : 0] ?? vehicle?.cameras?.[0];
}

/**
 * Draw the horizontal field of view of the camera: a wedge as long as the visibility.
 * @param {Pen} pen
 * @param {Projection} projection
 * @param {CameraHello} camera
 * @param {number} visibility m
 * @param {Sample} sample
 */
export function drawFieldOfView(pen, projection, camera, visibility, sample) {
  const pan = sample.get("pan_deg");
  if (!Number.isFinite(pan)) return;
  const zoom = sample.get("zoom") > 0 ? sample.get("zoom") : 1;
  const half = Math.atan(Math.tan((camera.fov_deg / 2) * DEG) / zoom);
  const heading = sample.get("heading_deg");
  const [sine, cosine] = [Math.sin(heading * DEG), Math.cos(heading * DEG)];
  const [ahead, right] = camera.position_m;
  const [x, y] = projection.screen(
    projection.north + ahead * cosine - right * sine,
    projection.east + ahead * sine + right * cosine,
  );
  const reach = Math.max(30, visibility * projection.scale);
  const angle = projection.screenAngle(heading + pan) - Math.PI / 2;
  const shade = pen.createRadialGradient(x, y, 0, x, y, reach);
  shade.addColorStop(0, "rgb(240 228 66 / 32%)");
  shade.addColorStop(1, "rgb(240 228 66 / 0%)");
  pen.beginPath();
  pen.moveTo(x, y);
  pen.arc(x, y, reach, angle - half, angle + half);
  pen.closePath();
  pen.fillStyle = shade;
  pen.fill();
}

/**
 * Draw the tether and the ship; a ship out of view is drawn at the edge with its distance.
 * @param {Pen} pen
 * @param {Projection} projection
 * @param {Sample} sample
 * @param {number} width
 * @param {number} height
 */
export function drawTether(pen, projection, sample, width, height) {
  /** @type {Point[]} */
  const line = [];
  for (let at = 0; at < TETHER_POINTS; at += 1) {
    const name = `tether_${String(at).padStart(2, "0")}`;
    const north = sample.get(`${name}_north_m`);
    if (Number.isFinite(north)) line.push(projection.screen(north, sample.get(`${name}_east_m`)));
  }
  if (line.length > 1) {
    pen.strokeStyle = ORANGE;
    pen.lineWidth = 1.8;
    path(pen, line);
    pen.stroke();
  }
  const north = sample.get("ship_north_m");
  if (!Number.isFinite(north)) return;
  const [x, y] = projection.screen(north, sample.get("ship_east_m"));
  const inside = x > 0 && x < width && y > 0 && y < height;
  const sx = Math.min(width - 16, Math.max(16, x));
  const sy = Math.min(height - 30, Math.max(16, y));
  pen.fillStyle = inside ? TEXT : QUIET;
  path(pen, [[sx, sy - 9], [sx + 5, sy - 3], [sx + 5, sy + 8], [sx - 5, sy + 8], [sx - 5, sy - 3]], true);
  pen.fill();
  pen.font = font(12);
  const range = Math.hypot(north - projection.north, sample.get("ship_east_m") - projection.east);
  const right = sx < width - 90;
  write(pen, inside ? "ship" : `ship ${range.toFixed(0)} m`, right ? sx + 9 : sx - 9, sy + 4, right ? "left" : "right");
}

/**
 * Draw the setpoint of the position hold.
 * @param {Pen} pen
 * @param {Projection} projection
 * @param {Sample} sample
 */
export function drawHold(pen, projection, sample) {
  const north = sample.get("hold_north_m");
  if (!Number.isFinite(north)) return;
  const [x, y] = projection.screen(north, sample.get("hold_east_m"));
  pen.strokeStyle = HOLD;
  pen.lineWidth = 2;
  pen.beginPath();
  pen.arc(x, y, 9, 0, 2 * Math.PI);
  pen.moveTo(x - 14, y);
  pen.lineTo(x + 14, y);
  pen.moveTo(x, y - 14);
  pen.lineTo(x, y + 14);
  pen.stroke();
}

/**
 * Draw the outline of the vehicle, enlarged if it would be too small to see.
 * @param {Pen} pen
 * @param {Projection} projection
 * @param {Point[]} shape
 * @param {number} heading
 */
export function drawVehicle(pen, projection, shape, heading) {
  const scale = projection.scale * enlargement(shape, projection.scale, 16);
  pen.save();
  pen.translate(projection.x, projection.y);
  pen.rotate(projection.screenAngle(heading));
  path(pen, shape.map(([ahead, right]) => [right * scale, -ahead * scale]), true);
  pen.fillStyle = "rgb(86 180 233 / 45%)";
  pen.fill();
  pen.strokeStyle = SKY;
  pen.lineWidth = 2;
  pen.stroke();
  const bow = Math.max(...shape.map((point) => point[0])) * scale;
  path(pen, [[-5, -bow - 3], [0, -bow - 11], [5, -bow - 3]]);
  pen.stroke();
  pen.restore();
}

/**
 * Draw the direction and speed of the current at the lower right.
 * @param {Pen} pen
 * @param {Projection} projection
 * @param {Sample} sample
 * @param {number} width
 * @param {number} height
 */
export function drawCurrent(pen, projection, sample, width, height) {
  const north = sample.get("current_north_m_s");
  const east = sample.get("current_east_m_s");
  const speed = Math.hypot(north, east);
  if (!(speed >= 0.005)) return;
  backing(pen, width - 64, height - 70, 60, 66);
  pen.strokeStyle = pen.fillStyle = CAUTION;
  pen.lineWidth = 2;
  const angle = projection.screenAngle(Math.atan2(east, north) / DEG);
  arrow(pen, width - 34, height - 45, angle, Math.min(40, 18 + 16 * speed));
  pen.fillStyle = QUIET;
  pen.font = font(12);
  write(pen, `${speed.toFixed(2)} m/s`, width - 34, height - 10, "center");
}
