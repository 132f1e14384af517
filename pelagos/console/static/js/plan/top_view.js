// Draws the world from above, heading up (the world turns) or north up (the vehicle turns), as in Royer (1985, 6.2).
import { prepareCanvas } from "../canvas.js";
import { drawContacts } from "./contacts.js";
import { crashLines, crashShare, cross, drawCursor, grid, northArrow, scaleBar } from "./draw.js";
import { PlanFigure } from "./figure.js";
import {
  cameraInUse, drawCurrent, drawFieldOfView, drawHold, drawStructures, drawTether, drawTrail, drawVehicle,
  drawWaypoints,
} from "./layers.js";
import { drawMarks, knownStructures, vehicleMarks } from "./marks.js";
import { outlineOf, vehicleShape } from "./outline.js";
import { Projection } from "./projection.js";
import { SeabedShade } from "./seabed.js";
import { Trail } from "./trail.js";

/** @typedef {import("../types.js").Hello} Hello */
/** @typedef {import("../types.js").Sample} Sample */
/** @typedef {import("./projection.js").Form} Form */

const MOST_SCALE = 200; // px per m at the closest zoom
const LEAST_VIEW_M = 200; // the farthest zoom shows at least this width
const EXTENTS_ACROSS = 2.5; // width of the farthest zoom over the distance of the farthest point from the origin

/**
 * The width of the view at the farthest zoom, m: it covers the world and the waypoints.
 * @param {import("../types.js").SourceHello} source
 */
export function farthestView(source) {
  let reach = source.scene?.extent_m ?? 0;
  for (const [north, east] of source.waypoints ?? []) reach = Math.max(reach, Math.abs(north), Math.abs(east));
  return Math.max(LEAST_VIEW_M, Number.isFinite(reach) ? EXTENTS_ACROSS * reach : 0);
}

/** The top view. */
export class TopView {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    /** Metres across the view. */
    this.span = 40;
    /** @type {Form} */
    this.selectedForm = "heading-up";
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
    /** Whether a place for the ship is being chosen, and the cursor that chooses it. */
    this.placing = false;
    /** @type {{north: number, east: number} | null} */
    this.cursor = null;
    this.plan = new PlanFigure(canvas, (factor) => this.zoom(factor), () => this.toggleForm());
    canvas.addEventListener("click", (event) => this.pick(event));
    canvas.addEventListener("pointermove", (event) => this.moveCursor(event));
  }

  /** @returns {Form} */
  get form() {
    return this.selectedForm;
  }

  set form(form) {
    this.selectedForm = form;
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
  moveCursor(event) {
    if (!this.placing || !this.projection) return;
    const [north, east] = this.projection.world(event.offsetX, event.offsetY);
    this.cursor = { north, east };
  }

  toggleForm() {
    this.form = this.form === "heading-up" ? "north-up" : "heading-up";
  }

  /**
   * Dispatch the place of a click as an event "pick"; with Shift, `move` sends the ship there.
   * @param {MouseEvent} event
   */
  pick(event) {
    if (!this.projection) return;
    const [north, east] = this.projection.world(event.offsetX, event.offsetY);
    const detail = { north_m: north, east_m: east, move: event.shiftKey };
    this.canvas.dispatchEvent(new CustomEvent("pick", { detail, bubbles: true }));
  }

  /** @param {number} factor above 1: closer */
  zoom(factor) {
    const least = Math.max(100, this.canvas.clientWidth) / MOST_SCALE;
    this.span = Math.min(this.farthest, Math.max(least, this.span / factor));
    this.plan.limitZoom(this.span <= least, this.span >= this.farthest);
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
    for (const structure of knownStructures(hello.source)) {
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
      this.span = Math.min(200, Math.max(36, 24 * (vehicle?.length_m ?? 1)));
    }
    this.farthest = farthestView(hello.source);
    this.zoom(1); // back into the new limits
    this.plan.forbid(conditions?.top_view === false);
  }

  /**
   * Add a state to the trail and a new collision to the crosses.
   * @param {Sample} sample
   */
  record(sample) {
    const depth = sample.get("depth_m");
    const before = this.trail.restarts;
    this.trail.add(sample.time, sample.get("north_m"), sample.get("east_m"), depth, depth + sample.get("altitude_m"));
    if (this.trail.restarts !== before) this.crashes = [];
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
    if (sample) this.record(sample);
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
      scale: width / this.span,
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
    drawMarks(pen, projection, vehicleMarks(source), true);
    if (this.placing && this.cursor) drawCursor(pen, projection, this.cursor, width);
    northArrow(pen, width - 24, 24, projection.screenAngle(0));
    scaleBar(pen, projection.scale, 10, height - 10);
    drawCurrent(pen, projection, sample, width, height);
    const share = crashShare(sample.get("crash_age_s"));
    if (share > 0) crashLines(pen, width, height, share);
  }
}
