// Draws the overlay of the camera picture: centre cross, heading tape, scales of pan and tilt, depth, crash lines and
// the banner.
import { prepareCanvas } from "../canvas.js";
import { HOLD, TEXT, YELLOW, font } from "../palette.js";
import { backing, crashLines, crashShare, plate } from "../plan/draw.js";
import { cameraInUse } from "../plan/layers.js";
import { bearing, formatNumber } from "./format.js";

/** @typedef {import("../types.js").Hello} Hello */
/** @typedef {import("../types.js").Sample} Sample */
/** @typedef {CanvasRenderingContext2D} Pen */
/** @typedef {{text: string, small: string, kind: "" | "alarm" | "caution" | "note" | "ready"}} Banner */

/**
 * What the overlay shows besides the state.
 * @typedef {object} OverlayContext
 * @property {"pilot" | "chase"} [view]
 * @property {{phase: string, text: string} | null} [status]
 * @property {{text: string, small: string} | null} [trouble] why there is no connection
 * @property {string} [link] "open", "closed", or "lost" while the connection is open but no snapshots arrive
 * @property {boolean} [replay]
 * @property {number} [delay_s] of the image
 * @property {string} [task] a line of text
 */

const TAPE_DEG = 60; // range of headings across the tape
const STICK_EDGE = 12; // px between a stick on the screen and the edge
const PAN_LABEL = 76; // px on each side of the scale of pan
const TILT_LABEL = 34; // px below the scale of tilt

/**
 * The banner with the highest priority, or null.
 * @param {Sample | null} sample
 * @param {OverlayContext} context
 * @returns {Banner | null}
 */
export function bannerOf(sample, context) {
  const { status } = context;
  if (context.trouble) return { ...context.trouble, kind: "alarm" };
  if (context.link === "closed") return { text: "NO CONNECTION", small: "trying again", kind: "alarm" };
  if (status?.phase === "failed") return { text: "FAILED", small: status.text, kind: "alarm" };
  if (status?.phase === "compiling") {
    return { text: "COMPILING", small: status.text || "the first start takes a while", kind: "caution" };
  }
  if (status?.phase === "ended") return { text: "ENDED", small: status.text, kind: "note" };
  if (!sample) return { text: "WAITING", small: "for the simulation", kind: "" };
  if (context.link === "lost") return { text: "LINK LOST", small: "nothing heard from the simulation", kind: "alarm" };
  if (sample.get("link_lost") > 0) return { text: "LINK LOST", small: "sticks centred", kind: "alarm" };
  if (sample.get("paused") > 0) return { text: "PAUSED", small: "", kind: "caution" };
  if (sample.get("waiting") > 0) return { text: "READY", small: "move a stick or press a key to begin", kind: "ready" };
  if (context.replay) return { text: "REPLAY", small: "", kind: "note" };
  return null;
}

/**
 * The visible marks of the heading tape: direction in deg, and position from -1 at the left to 1 at the right.
 * @param {number} heading deg
 * @returns {{mark: number, at: number}[]}
 */
export function tapeMarks(heading) {
  const marks = [];
  const half = TAPE_DEG / 2;
  for (let mark = Math.ceil((heading - half) / 5) * 5; mark <= heading + half; mark += 5) {
    marks.push({ mark: ((mark % 360) + 360) % 360, at: (mark - heading) / half });
  }
  return marks;
}

/** Draws on the canvas over the camera picture and writes the texts of the stage. */
export class Overlay {
  /** @param {Document} document */
  constructor(document) {
    this.canvas = /** @type {HTMLCanvasElement} */ (document.getElementById("overlay"));
    this.banner = document.getElementById("banner");
    this.taskText = document.getElementById("task-text");
    this.delayText = document.getElementById("delay-text");
    this.cameraOff = document.getElementById("camera-off");
    this.stick = document.getElementById("touch-left");
    /** @type {Hello | null} */
    this.hello = null;
    this.shownTexts = "";
  }

  /** @param {Hello} hello */
  setHello(hello) {
    this.hello = hello;
    this.cameraOff?.classList.toggle("hidden", hello.source.conditions?.camera !== false);
  }

  /**
   * @param {Sample | null} sample
   * @param {number} _now ms
   * @param {OverlayContext} [context]
   */
  draw(sample, _now, context = {}) {
    this.showTexts(sample, context);
    const prepared = prepareCanvas(this.canvas);
    if (!prepared || !sample) return;
    const { pen, width, height } = prepared;
    const beside = this.stickRoom();
    if (context.view !== "chase") {
      drawCross(pen, width / 2, height / 2);
      this.drawCamera(pen, width, height, sample, beside);
    }
    if (width >= 420) drawHeading(pen, width, sample);
    if (beside > 0) drawDepths(pen, width / 2, height - 38, sample, "center");
    else drawDepths(pen, 14, height - 18, sample, "left");
    const share = crashShare(sample.get("crash_age_s"));
    if (share > 0) crashLines(pen, width, height, share);
  }

  /**
   * Write banner, image delay and task to the page, if one of them has changed.
   * @param {Sample | null} sample
   * @param {OverlayContext} context
   */
  showTexts(sample, context) {
    const banner = bannerOf(sample, context);
    const delay = context.delay_s ?? this.hello?.source.conditions?.image_delay_s ?? 0;
    const task = context.task ?? "";
    const texts = JSON.stringify([banner, delay, task]);
    if (texts === this.shownTexts) return;
    this.shownTexts = texts;
    if (this.taskText) this.taskText.textContent = task;
    if (this.delayText) this.delayText.textContent = delay > 0 ? `image delay ${formatNumber(delay, 1)} s` : "";
    if (!this.banner) return;
    this.banner.classList.toggle("hidden", banner === null);
    this.banner.textContent = banner?.text ?? "";
    this.banner.dataset.kind = banner?.kind ?? "";
    if (banner?.small) {
      const small = this.banner.ownerDocument.createElement("small");
      small.textContent = banner.small;
      this.banner.append(small);
    }
  }

  /** The width in px of each lower corner that a stick on the screen covers; 0 without sticks. */
  stickRoom() {
    return this.canvas.closest("body.touch") ? (this.stick?.offsetWidth ?? 0) + STICK_EDGE : 0;
  }

  /**
   * Draw the scales of pan along the lower edge and of tilt along the right edge, over the range of the camera.
   * @param {Pen} pen
   * @param {number} width
   * @param {number} height
   * @param {Sample} sample
   * @param {number} beside px that a stick covers in each lower corner
   */
  drawCamera(pen, width, height, sample, beside) {
    const camera = cameraInUse(this.hello?.source.vehicle, sample);
    const pan = sample.get("pan_deg");
    const tilt = sample.get("tilt_deg");
    if (!camera || !Number.isFinite(pan + tilt)) return;
    const [left, right] = camera.pan_limit_deg;
    const [low, high] = camera.tilt_limit_deg;
    const places = scalePlaces(width, height, beside);
    pen.font = font(12);
    const zoom = sample.get("zoom");
    const closer = zoom > 1.01 ? `zoom \u00d7${formatNumber(zoom, 1)}` : "";
    if (right > left) {
      const { from, to, y } = places.pan;
      backing(pen, from - 8, y - 8, to - from + 16, 16);
      scale(pen, from, y, to, y, share(0, left, right), share(pan, left, right));
      pen.fillStyle = TEXT;
      plate(pen, `pan ${formatNumber(pan, 0)}\u00b0  ${closer}`.trimEnd(), to + 14, y);
    } else if (closer) {
      pen.fillStyle = TEXT;
      plate(pen, closer, width / 2, places.pan.y, "center");
    }
    if (high > low) {
      const { x, from, to } = places.tilt;
      backing(pen, x - 8, to - 8, 16, from - to + 16);
      scale(pen, x, from, x, to, share(0, low, high), share(tilt, low, high));
      pen.fillStyle = TEXT;
      plate(pen, `tilt ${formatNumber(tilt, 0)}\u00b0`, width - 11, from + 20, "right");
    }
  }
}

/**
 * The places of the scales of pan and tilt: at the middle of the lower and of the right edge, shorter and higher where
 * sticks cover the corners.
 * @param {number} width
 * @param {number} height
 * @param {number} beside px that a stick covers in each lower corner
 */
export function scalePlaces(width, height, beside) {
  const most = Math.min(150, 0.3 * Math.min(width, height));
  const across = Math.max(40, Math.min(most, width - 2 * beside - 2 * PAN_LABEL));
  const top = 84; // below the texts in the upper corner
  const floor = height - beside - (beside > 0 ? TILT_LABEL : 0);
  const middle = beside > 0 ? (top + floor) / 2 : height / 2;
  const down = Math.max(20, Math.min(most, floor - top));
  return {
    pan: { from: width / 2 - across / 2, to: width / 2 + across / 2, y: height - 16 },
    tilt: { x: width - 16, from: middle + down / 2, to: middle - down / 2 },
  };
}

/**
 * The position of a value in a range, 0 to 1.
 * @param {number} value
 * @param {number} from
 * @param {number} to
 */
function share(value, from, to) {
  return Math.min(1, Math.max(0, (value - from) / (to - from)));
}

/**
 * Draw a line with a tick at zero and a marker at the value.
 * @param {Pen} pen
 * @param {number} x0
 * @param {number} y0
 * @param {number} x1
 * @param {number} y1
 * @param {number} zero 0..1
 * @param {number} value 0..1
 */
function scale(pen, x0, y0, x1, y1, zero, value) {
  const level = y0 === y1;
  pen.strokeStyle = TEXT;
  pen.lineWidth = 1.5;
  pen.beginPath();
  pen.moveTo(x0, y0);
  pen.lineTo(x1, y1);
  const [zx, zy] = [x0 + zero * (x1 - x0), y0 + zero * (y1 - y0)];
  pen.moveTo(zx - (level ? 0 : 4), zy - (level ? 4 : 0));
  pen.lineTo(zx + (level ? 0 : 4), zy + (level ? 4 : 0));
  pen.stroke();
  pen.save();
  pen.fillStyle = YELLOW;
  pen.translate(x0 + value * (x1 - x0), y0 + value * (y1 - y0));
  pen.rotate(Math.PI / 4);
  pen.fillRect(-4, -4, 8, 8);
  pen.restore();
}

/**
 * Draw the cross at the centre of the picture.
 * @param {Pen} pen
 * @param {number} x
 * @param {number} y
 */
function drawCross(pen, x, y) {
  pen.strokeStyle = "rgb(228 237 242 / 80%)";
  pen.lineWidth = 1.5;
  pen.beginPath();
  for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
    pen.moveTo(x + 6 * dx, y + 6 * dy);
    pen.lineTo(x + 16 * dx, y + 16 * dy);
  }
  pen.stroke();
}

/**
 * Draw the heading tape at the top of the picture, with the held heading on it.
 * @param {Pen} pen
 * @param {number} width
 * @param {Sample} sample
 */
function drawHeading(pen, width, sample) {
  const heading = sample.get("heading_deg");
  if (!Number.isFinite(heading)) return;
  const half = Math.min(150, 0.2 * width);
  const x = width / 2;
  backing(pen, x - half - 14, 2, 2 * half + 28, 34);
  pen.font = font(12);
  pen.textAlign = "center";
  pen.textBaseline = "top";
  pen.lineWidth = 1.5;
  for (const { mark, at } of tapeMarks(heading)) {
    pen.globalAlpha = 1 - 0.35 * at * at;
    pen.strokeStyle = pen.fillStyle = TEXT;
    pen.beginPath();
    pen.moveTo(x + at * half, 8);
    pen.lineTo(x + at * half, mark % 15 === 0 ? 16 : 12);
    pen.stroke();
    if (mark % 15 === 0 && Math.abs(at) > 0.2) {
      pen.fillText({ 0: "N", 90: "E", 180: "S", 270: "W" }[mark] ?? String(mark), x + at * half, 19);
    }
  }
  pen.globalAlpha = 1;
  const hold = sample.get("hold_heading_deg");
  const off = ((((hold - heading + 180) % 360) + 360) % 360) - 180;
  if (Math.abs(off) <= TAPE_DEG / 2) {
    pen.fillStyle = HOLD;
    pen.fillRect(x + (off / (TAPE_DEG / 2)) * half - 6, 3, 12, 5);
  }
  pen.fillStyle = YELLOW;
  pen.font = font(14, 650);
  pen.fillText(bearing(heading), x, 18);
}

/**
 * Write depth and altitude in the lower left corner, or between the sticks on the screen.
 * @param {Pen} pen
 * @param {number} x
 * @param {number} foot px, centre of the lowest line
 * @param {Sample} sample
 * @param {"left" | "center"} align
 */
function drawDepths(pen, x, foot, sample, align) {
  const deep = `${formatNumber(sample.get("depth_m"), 1)} m deep`;
  const up = `${formatNumber(sample.get("altitude_m"), 1)} m up`;
  pen.fillStyle = TEXT;
  pen.font = font(14, 600);
  const lines = align === "center" ? [`${deep}, ${up}`] : [up, deep];
  lines.forEach((line, at) => plate(pen, line, x, foot - 20 * at, align));
}
