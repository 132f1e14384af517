// The world from above, in both of Royer's forms: heading up (the world turns) and north up (the vehicle turns).
import { prepareCanvas } from "../canvas.js";
import { drawContacts } from "./contacts.js";
import { crashLines, crashShare, cross, drawCursor, grid, northArrow, scaleBar } from "./draw.js";
import { PlanFigure } from "./figure.js";
import {
  cameraInUse, drawCurrent, drawFieldOfView, drawHold, drawStructures, drawTether, drawTrail, drawVehicle,
  drawWaypoints,
} from "./layers.js";
import { drawMarks, onTheMap, onVehicle } from "./marks.js";
import { outlineOf, vehicleShape } from "./outline.js";
import { Projection } from "./projection.js";
import { SeabedShade } from "./seabed.js";
import { Trail } from "./trail.js";

/** @typedef {import("../types.js").Hello} Hello */
/** @typedef {import("../types.js").Sample} Sample */
/** @typedef {import("./projection.js").Form} Form */

const MOST_SCALE = 200; // px per m
const LEAST_VIEW_M = 200; // what can always be seen, across
const ROUND_VIEW = 2.5; // times how far the world reaches

/**
 * How much of the world the view takes in at most, m across: all that is there, its way and the seabed that is known,
 * as seen from any end of it.
 * @param {import("../types.js").SourceHello} source
 */
export function farthestView(source) {
  let reach = source.scene?.extent_m ?? 0;
  for (const [north, east] of source.waypoints ?? []) reach = Math.max(reach, Math.abs(north), Math.abs(east));
  return Math.max(LEAST_VIEW_M, Number.isFinite(reach) ? ROUND_VIEW * reach : 0);
}

export class TopView {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    /** Metres across the view. */
    this.across = 40;
    /** @type {Form} */
    this.chosen = "heading-up";
    this.trail = new Trail();
    /** @type {{north: number, east: number}[]} */
    this.crashes = [];
    this.collisions = 0;
    /** @type {import("./outline.js").Outline[]} */
    this.outlines = [];
    /** @type {SeabedShade | null} */
    this.seabed = null;
    this.shape = vehicleShape(undefined);
    /** @type {Hello | null} */
    this.hello = null;
    this.vehicleKey = "";
    /** @type {Projection | null} */
    this.projection = null;
    this.farthest = LEAST_VIEW_M;
    /** @type {import("../contacts.js").Contacts | null} */
    this.contacts = null;
    /** Whether a place is being chosen, and where the cursor of the keyboard is. */
    this.placing = false;
    /** @type {{north: number, east: number} | null} */
    this.cursor = null;
    this.plan = new PlanFigure(canvas, (factor) => this.zoom(factor), () => this.turnForm());
    canvas.addEventListener("click", (event) => this.pick(event));
    canvas.addEventListener("pointermove", (event) => this.point(event));
  }

  /** @returns {Form} */
  get form() {
    return this.chosen;
  }

  set form(form) {
    this.chosen = form;
    const button = this.plan.figure?.querySelector('[data-plan="form"]');
    if (button) button.textContent = form === "heading-up" ? "heading up" : "north up";
  }

  get shown() {
    return this.plan.shown;
  }

  set shown(on) {
    this.plan.show(on);
  }

  /** @param {MouseEvent} event */
  point(event) {
    if (!this.placing || !this.projection) return;
    const [north, east] = this.projection.world(event.offsetX, event.offsetY);
    this.cursor = { north, east };
  }

  turnForm() {
    this.form = this.form === "heading-up" ? "north-up" : "heading-up";
  }

  /**
   * Tells which place was clicked; with Shift, that the ship is to go there.
   * @param {MouseEvent} event
   */
  pick(event) {
    if (!this.projection) return;
    const [north, east] = this.projection.world(event.offsetX, event.offsetY);
    const detail = { north_m: north, east_m: east, move: event.shiftKey };
    this.canvas.dispatchEvent(new CustomEvent("pick", { detail, bubbles: true }));
  }

  /** @param {number} factor above 1: larger */
  zoom(factor) {
    const least = Math.max(100, this.canvas.clientWidth) / MOST_SCALE;
    this.across = Math.min(this.farthest, Math.max(least, this.across / factor));
    this.plan.ends(this.across <= least, this.across >= this.farthest);
  }

  clear() {
    this.trail.clear();
    this.crashes = [];
    this.collisions = 0;
  }

  /** @param {Hello} hello */
  setHello(hello) {
    const { scene, vehicle, conditions } = hello.source;
    this.hello = hello;
    this.outlines = [];
    for (const structure of onTheMap(hello.source)) {
      const outline = outlineOf(structure);
      if (outline) this.outlines.push(outline);
    }
    const seabed = scene?.seabed;
    this.seabed = seabed && seabed.kind === "grid" ? new SeabedShade(seabed) : null;
    this.shape = vehicleShape(vehicle);
    const key = `${vehicle?.key} ${scene?.name}`;
    if (key !== this.vehicleKey) {
      this.vehicleKey = key;
      this.clear();
      this.across = Math.min(200, Math.max(36, 24 * (vehicle?.length_m ?? 1)));
    }
    this.farthest = farthestView(hello.source);
    this.zoom(1);
    this.plan.forbid(conditions?.top_view === false);
  }

  /** @param {Sample} sample */
  remember(sample) {
    const depth = sample.get("depth_m");
    const before = this.trail.starts;
    this.trail.add(sample.time, sample.get("north_m"), sample.get("east_m"), depth, depth + sample.get("altitude_m"));
    if (this.trail.starts !== before) this.crashes = [];
    const collisions = sample.get("collisions");
    if (collisions > this.collisions && Number.isFinite(sample.get("crash_north_m"))) {
      this.crashes.push({ north: sample.get("crash_north_m"), east: sample.get("crash_east_m") });
    } else if (collisions < this.collisions) {
      this.crashes = [];
    }
    if (Number.isFinite(collisions)) this.collisions = collisions;
  }

  /**
   * @param {Sample | null} sample
   * @param {number} _now ms
   */
  draw(sample, _now) {
    if (sample) this.remember(sample);
    if (!this.shown) return;
    const surface = prepareCanvas(this.canvas);
    if (!surface || !sample || !Number.isFinite(sample.get("north_m"))) return;
    const { pen, width, height } = surface;
    const heading = sample.get("heading_deg");
    const projection = new Projection({
      form: this.form,
      north: sample.get("north_m"),
      east: sample.get("east_m"),
      heading: Number.isFinite(heading) ? heading : 0,
      scale: width / this.across,
      x: width / 2,
      y: this.form === "heading-up" ? 0.58 * height : 0.5 * height,
    });
    this.projection = projection;
    this.seabed?.draw(pen, projection);
    grid(pen, projection, width, height);
    const source = this.hello?.source;
    drawStructures(pen, projection, this.outlines, sample.get("depth_m"));
    drawTrail(pen, projection, this.trail.points, sample.time);
    drawWaypoints(pen, projection, source?.waypoints ?? []);
    drawMarks(pen, projection, source?.marks ?? []);
    const camera = cameraInUse(source?.vehicle, sample);
    if (camera) drawFieldOfView(pen, projection, camera, source?.scene?.visibility_m ?? 10, sample);
    drawTether(pen, projection, sample, width, height);
    for (const crash of this.crashes) cross(pen, ...projection.screen(crash.north, crash.east));
    drawHold(pen, projection, sample);
    if (this.contacts) drawContacts(pen, projection, this.contacts.at(sample.time), width, height);
    drawVehicle(pen, projection, this.shape, projection.heading);
    drawMarks(pen, projection, onVehicle(source), true);
    if (this.placing && this.cursor) drawCursor(pen, projection, this.cursor, width);
    northArrow(pen, width - 24, 24, projection.turn(0));
    scaleBar(pen, projection.scale, 10, height - 10);
    drawCurrent(pen, projection, sample, width, height);
    const share = crashShare(sample.get("crash_age_s"));
    if (share > 0) crashLines(pen, width, height, share);
  }
}
