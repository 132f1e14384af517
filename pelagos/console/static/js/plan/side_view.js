// Draws depth over the distance covered: the track, the bottom below it, the surface and the depth setpoint.
import { EDGE, HOLD, LINE, QUIET, SKY, TEXT, YELLOW, font } from "../palette.js";
import { prepareCanvas } from "../canvas.js";
import { drawContactsFromSide } from "./contacts.js";
import { crashLines, crashShare, path, write } from "./draw.js";
import { PlanFigure } from "./figure.js";
import { metres, multiples, roundStep } from "./projection.js";
import { Trail } from "./trail.js";

/** @typedef {import("../types.js").Hello} Hello */
/** @typedef {import("../types.js").Sample} Sample */
/** @typedef {import("./trail.js").TrailPoint} TrailPoint */
/** @typedef {import("./projection.js").Point} Point */
/** @typedef {CanvasRenderingContext2D} Pen */

const LEFT = 40; // px for the scale of depths
const FOOT = 20; // px for the scale of distances
const HEAD = 8; // px free at the top
const VEHICLE_AT = 0.8; // place of the vehicle, fraction of the width
const LEAST_SPAN = 5;
const MOST_SPAN = 5000;
const NEAR_M = 25; // surface and bottom are included in the range when nearer than this
const EASING = 0.06; // part of the way to the new range in one frame

/**
 * The range of depths to show: the visible track, with the surface and the bottom if they are near.
 * @param {number[]} track depths of the track and of the hold, m
 * @param {number[]} bottoms
 * @param {boolean} surface whether the world has one
 * @returns {[number, number]}
 */
export function depthRange(track, bottoms, surface) {
  const known = track.filter(Number.isFinite);
  if (known.length === 0) return [0, 10];
  let least = Math.min(...known);
  let most = Math.max(...known);
  const deepest = Math.max(...bottoms.filter((depth) => Number.isFinite(depth) && depth - most < NEAR_M));
  if (surface && least < NEAR_M) least = Math.min(least, 0);
  if (Number.isFinite(deepest)) most = Math.max(most, deepest);
  const room = Math.max(6, 1.25 * (most - least));
  const middle = (least + most) / 2;
  return [middle - room / 2, middle + room / 2];
}

/** The side view. */
export class SideView {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    /** Metres of track across the view. */
    this.span = 60;
    this.trail = new Trail();
    /** @type {[number, number] | null} */
    this.range = null;
    this.surface = true;
    /** Depth of a level bottom, which is known everywhere; NaN for any other bottom. */
    this.flatDepth = NaN;
    this.key = "";
    /** @type {import("../contacts.js").Contacts | null} */
    this.contacts = null;
    this.plan = new PlanFigure(canvas, (factor) => this.zoom(factor));
  }

  get shown() {
    return this.plan.shown;
  }

  set shown(on) {
    this.plan.show(on);
  }

  /** @param {number} factor above 1: closer */
  zoom(factor) {
    this.span = Math.min(MOST_SPAN, Math.max(LEAST_SPAN, this.span / factor));
    this.plan.limitZoom(this.span <= LEAST_SPAN, this.span >= MOST_SPAN);
  }

  clear() {
    this.trail.clear();
    this.range = null;
  }

  /** @param {Hello} hello */
  setHello(hello) {
    const { scene, vehicle, conditions } = hello.source;
    this.surface = scene?.surface !== false;
    const seabed = scene?.seabed;
    this.flatDepth = seabed?.kind === "flat" ? seabed.depth_m : NaN;
    const key = `${vehicle?.key} ${scene?.name}`;
    if (key !== this.key) {
      this.key = key;
      this.clear();
      this.span = Math.min(300, Math.max(50, 40 * (vehicle?.length_m ?? 1)));
    }
    this.plan.forbid(conditions?.side_view === false);
  }

  /**
   * @param {Sample | null} sample
   * @param {number} _now ms
   */
  draw(sample, _now) {
    if (!sample) return;
    const depth = sample.get("depth_m");
    this.trail.add(sample.time, sample.get("north_m"), sample.get("east_m"), depth, depth + sample.get("altitude_m"));
    const latest = this.trail.points.at(-1);
    if (!this.shown || !latest || !Number.isFinite(depth)) return;
    const surface = prepareCanvas(this.canvas);
    if (!surface) return;
    const { pen, width, height } = surface;
    const from = latest.run - VEHICLE_AT * this.span;
    const track = this.trail.points.filter((point) => point.run >= from - 1);
    const hold = sample.get("hold_depth_m");
    const range = this.eased(depthRange([...track.map((point) => point.depth), depth, hold],
      track.map((point) => point.bottom), this.surface));
    const wide = width - LEFT;
    const tall = height - HEAD - FOOT;
    /** @param {number} run */
    const x = (run) => LEFT + ((run - from) / this.span) * wide;
    /** @param {number} z */
    const y = (z) => HEAD + ((z - range[0]) / (range[1] - range[0])) * tall;
    const axes = { x, y, width, height };
    drawScales(pen, axes, range, from, this.span);
    drawBottom(pen, axes, track, this.flatDepth);
    this.drawLevels(pen, axes, hold, range);
    pen.strokeStyle = YELLOW;
    pen.lineWidth = 1.8;
    const line = track.map((point) => /** @type {Point} */ ([x(point.run), y(point.depth)]));
    path(pen, [...line, [x(latest.run), y(depth)]]);
    pen.stroke();
    if (this.contacts) this.drawContacts(pen, axes, sample, latest.run);
    drawVehicle(pen, x(latest.run), y(depth), sample.get("pitch_deg"));
    const share = crashShare(sample.get("crash_age_s"));
    if (share > 0) crashLines(pen, width, height, share);
  }

  /**
   * @param {Pen} pen
   * @param {Axes} axes
   * @param {Sample} sample
   * @param {number} run
   */
  drawContacts(pen, axes, sample, run) {
    const [north, east, heading] = ["north_m", "east_m", "heading_deg"].map((name) => sample.get(name));
    pen.save();
    pen.beginPath();
    pen.rect(LEFT, 0, axes.width - LEFT, axes.height - FOOT);
    pen.clip();
    drawContactsFromSide(pen, axes, this.contacts?.at(sample.time) ?? [], { north, east, heading, run }, this.span);
    pen.restore();
  }

  /**
   * Move the range a little towards a new one, so that the picture does not jump.
   * @param {[number, number]} target
   * @returns {[number, number]}
   */
  eased(target) {
    const before = this.range ?? target;
    this.range = [before[0] + EASING * (target[0] - before[0]), before[1] + EASING * (target[1] - before[1])];
    return this.range;
  }

  /**
   * @param {Pen} pen
   * @param {Axes} axes
   * @param {number} hold
   * @param {[number, number]} range
   */
  drawLevels(pen, axes, hold, range) {
    if (this.surface && range[0] < 0) {
      const y = axes.y(0);
      pen.fillStyle = "rgb(86 180 233 / 14%)";
      pen.fillRect(LEFT, HEAD, axes.width - LEFT, y - HEAD);
      pen.strokeStyle = SKY;
      pen.lineWidth = 1.5;
      path(pen, [[LEFT, y], [axes.width, y]]);
      pen.stroke();
    }
    if (!Number.isFinite(hold)) return;
    pen.strokeStyle = HOLD;
    pen.lineWidth = 1.5;
    pen.setLineDash([6, 4]);
    path(pen, [[LEFT, axes.y(hold)], [axes.width, axes.y(hold)]]);
    pen.stroke();
    pen.setLineDash([]);
  }
}

/** @typedef {{x: (run: number) => number, y: (depth: number) => number, width: number, height: number}} Axes */

/**
 * @param {Pen} pen
 * @param {Axes} axes
 * @param {[number, number]} range
 * @param {number} from
 * @param {number} span
 */
function drawScales(pen, axes, range, from, span) {
  const { x, y, width, height } = axes;
  const tall = height - HEAD - FOOT;
  pen.strokeStyle = LINE;
  pen.fillStyle = QUIET;
  pen.lineWidth = 1;
  pen.font = font(12);
  const step = roundStep(((range[1] - range[0]) * 26) / Math.max(26, tall));
  for (const depth of multiples(range[0], range[1], step)) {
    path(pen, [[LEFT, y(depth)], [width, y(depth)]]);
    pen.stroke();
    write(pen, String(Number(depth.toPrecision(6))), LEFT - 5, y(depth) + 4, "right");
  }
  const along = roundStep((span * 70) / (width - LEFT));
  for (const run of multiples(Math.max(0, from), from + span, along)) {
    path(pen, [[x(run), HEAD], [x(run), height - FOOT + 3]]);
    pen.stroke();
    const centre = Math.min(width - 22, Math.max(LEFT + 12, x(run)));
    write(pen, metres(run), centre, height - 5, "center");
  }
}

/**
 * @param {Pen} pen
 * @param {Axes} axes
 * @param {TrailPoint[]} track
 * @param {number} flatDepth
 */
function drawBottom(pen, axes, track, flatDepth) {
  const known = track.filter((point) => Number.isFinite(point.bottom));
  const floor = axes.height - FOOT;
  /** @type {Point[]} */
  const line = Number.isFinite(flatDepth)
    ? [[LEFT, axes.y(flatDepth)], [axes.width, axes.y(flatDepth)]]
    : known.map((point) => [axes.x(point.run), axes.y(point.bottom)]);
  if (line.length < 2) return;
  pen.save();
  pen.beginPath();
  pen.rect(LEFT, HEAD, axes.width - LEFT, floor - HEAD);
  pen.clip();
  path(pen, [...line, [line[line.length - 1][0], floor + 400], [line[0][0], floor + 400]], true);
  pen.fillStyle = "#3a3f38";
  pen.fill();
  path(pen, line);
  pen.strokeStyle = EDGE;
  pen.lineWidth = 1.5;
  pen.stroke();
  pen.restore();
}

/**
 * Draw the vehicle as a dart, inclined by its pitch.
 * @param {Pen} pen
 * @param {number} x
 * @param {number} y
 * @param {number} pitch deg, bow up
 */
function drawVehicle(pen, x, y, pitch) {
  pen.save();
  pen.translate(x, y);
  pen.rotate((-(Number.isFinite(pitch) ? pitch : 0) * Math.PI) / 180);
  path(pen, [[10, 0], [-6, 5], [-3, 0], [-6, -5]], true);
  pen.fillStyle = SKY;
  pen.fill();
  pen.strokeStyle = TEXT;
  pen.lineWidth = 1;
  pen.stroke();
  pen.restore();
}
