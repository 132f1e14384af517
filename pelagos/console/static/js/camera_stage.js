// The camera's picture on its stage: which view, how old, how often, how fine; dragging looks round.
// Without WebGL the rest of the console goes on.
import { FrameGate, FrameRate, SlowWatch } from "./frame_rate.js";

const NO_PICTURE = "This browser has no WebGL: there is no camera picture. Instruments and plan views go on.";
const FULL_DRAG_PX = 120; // a drag so far pans or tilts at full rate
const FINEST = 2;

/** @typedef {"pilot" | "chase"} Mode */
/** @typedef {"auto" | "low" | "high"} Quality */

export class CameraStage {
  /**
   * @param {Document} document
   * @param {Quality} quality
   */
  constructor(document, quality) {
    this.document = document;
    this.stage = /** @type {HTMLElement} */ (document.getElementById("stage"));
    this.canvas = /** @type {HTMLCanvasElement} */ (document.getElementById("camera"));
    this.notice = document.getElementById("camera-off");
    this.wanted = quality;
    /** @type {"low" | "high"} */
    this.quality = quality === "low" ? "low" : "high";
    /** @type {Mode} */
    this.mode = "pilot";
    /** @type {any} */
    this.view = null;
    this.failed = "";
    /** @type {import("./types.js").Hello | null} */
    this.hello = null;
    /** @type {import("./contacts.js").Contacts | null} */
    this.contacts = null;
    this.size = "";
    this.rate = new FrameRate();
    this.gate = new FrameGate();
    this.slow = new SlowWatch();
    this.last = NaN;
    /** @type {{pointer: number, x: number, y: number, startX: number, startY: number} | null} */
    this.drag = null;
    this.listen();
  }

  /** Load the drawing code and make the view; a sentence on the stage if that cannot be. */
  async open() {
    try {
      const { CameraView } = await import("./view/camera_view.js");
      this.view = new CameraView(this.canvas, { quality: this.quality });
      if (this.hello) this.view.setHello(this.hello);
    } catch (error) {
      this.failed = error instanceof Error ? error.message : String(error);
      this.view = null;
    }
    this.tell();
  }

  /** @param {Quality} quality */
  async setQuality(quality) {
    this.wanted = quality;
    const next = quality === "low" ? "low" : "high";
    if (next === this.quality) return;
    this.quality = next;
    if (!this.view) return;
    // A canvas keeps the context it has; another quality takes another canvas.
    this.view.dispose?.();
    this.view = null;
    const fresh = /** @type {HTMLCanvasElement} */ (this.canvas.cloneNode(false));
    this.canvas.replaceWith(fresh);
    this.canvas = fresh;
    this.size = "";
    this.listen();
    await this.open();
  }

  /** @param {import("./types.js").Hello} hello */
  setHello(hello) {
    this.hello = hello;
    this.view?.setHello(hello);
    this.tell();
  }

  /** Whether the conditions let the pilot see the camera's picture. */
  get allowed() {
    return this.hello?.source.conditions?.camera !== false;
  }

  tell() {
    if (!this.notice) return;
    const gone = this.failed !== "";
    this.notice.textContent = gone ? NO_PICTURE : "camera off";
    this.notice.classList.toggle("hidden", !gone && this.allowed);
    this.notice.title = this.failed;
  }

  /**
   * @param {(delay_s: number) => import("./types.js").Sample | null} at the state so many seconds before now
   * @param {number} now ms
   */
  draw(at, now) {
    if (!this.view || !this.allowed) return;
    const conditions = this.hello?.source.conditions ?? {};
    if (!this.gate.passes(now, conditions.frame_limit_hz)) return;
    const sample = at(conditions.image_delay_s ?? 0);
    if (!sample) return;
    this.fit();
    this.view.render(sample, now, { mode: this.mode, contacts: this.contacts?.at(sample.time) });
    this.rate.count(now);
    if (this.wanted === "auto" && !conditions.frame_limit_hz && this.slow.count(now - this.last)) {
      void this.setQuality("low").then(() => (this.wanted = "auto"));
    }
    this.last = now;
  }

  fit() {
    const { clientWidth: width, clientHeight: height } = this.stage;
    const ratio = this.quality === "low" ? 1 : Math.min(FINEST, globalThis.devicePixelRatio || 1);
    const size = `${width}x${height}@${ratio}`;
    if (size === this.size || width < 2 || height < 2) return;
    this.size = size;
    this.view.resize(width, height, ratio);
  }

  // ---- dragging: the chase camera goes round the vehicle, the pilot's pans and tilts

  listen() {
    this.canvas.addEventListener("pointerdown", (event) => {
      if (this.drag || event.button !== 0) return;
      const { clientX: x, clientY: y } = event;
      this.drag = { pointer: event.pointerId, x, y, startX: x, startY: y };
      this.canvas.setPointerCapture(event.pointerId);
    });
    this.canvas.addEventListener("pointermove", (event) => this.dragged(event));
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) {
      this.canvas.addEventListener(end, () => (this.drag = null));
    }
    this.canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      if (this.mode === "chase") this.view?.dolly(Math.exp(event.deltaY * 0.001));
    }, { passive: false });
  }

  /** @param {PointerEvent} event */
  dragged(event) {
    if (!this.drag || event.pointerId !== this.drag.pointer) return;
    if (this.mode === "chase") this.view?.orbit(event.clientX - this.drag.x, event.clientY - this.drag.y);
    this.drag.x = event.clientX;
    this.drag.y = event.clientY;
  }

  /**
   * Pan and tilt asked for by dragging the picture: further is faster.
   * @returns {import("./controls/sticks.js").AxisValues}
   */
  axes() {
    if (!this.drag || this.mode !== "pilot") return {};
    const limit = (/** @type {number} */ value) => Math.min(1, Math.max(-1, value));
    return {
      pan: limit((this.drag.x - this.drag.startX) / FULL_DRAG_PX),
      tilt: limit(-(this.drag.y - this.drag.startY) / FULL_DRAG_PX),
    };
  }
}
