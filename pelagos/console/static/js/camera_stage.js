// Shows the camera view on the page: chooses pilot or chase camera, image delay, frame rate and resolution, and turns
// dragging into camera motion. Without WebGL it shows a notice, and the rest of the console works.
import { FrameGate, FrameRate, SlowWatch } from "./frame_rate.js";

const NO_PICTURE = "This browser has no WebGL: there is no camera picture. Instruments and plan views go on.";
const FULL_DRAG_PX = 120; // length of a drag that pans or tilts at full rate
const MOST_RATIO = 2; // device pixels per CSS pixel

/** @typedef {"pilot" | "chase"} Mode */
/** @typedef {"auto" | "low" | "high"} Quality */

/** Owns the canvas of the camera and the view drawn on it. */
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
    this.setting = quality;
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

  /** Load the drawing code and create the view; show a notice if that fails. */
  async open() {
    try {
      const { CameraView } = await import("./view/camera_view.js");
      this.view = new CameraView(this.canvas, { quality: this.quality });
      if (this.hello) this.view.setHello(this.hello);
    } catch (error) {
      this.failed = error instanceof Error ? error.message : String(error);
      this.view = null;
    }
    this.showNotice();
  }

  /** @param {Quality} quality */
  async setQuality(quality) {
    this.setting = quality;
    const next = quality === "low" ? "low" : "high";
    if (next === this.quality) return;
    this.quality = next;
    if (!this.view) return;
    // The options of a canvas's WebGL context are fixed at its creation: another quality needs a new canvas.
    this.view.dispose?.();
    this.view = null;
    const canvas = /** @type {HTMLCanvasElement} */ (this.canvas.cloneNode(false));
    this.canvas.replaceWith(canvas);
    this.canvas = canvas;
    this.size = "";
    this.listen();
    await this.open();
  }

  /** @param {import("./types.js").Hello} hello */
  setHello(hello) {
    this.hello = hello;
    this.view?.setHello(hello);
    this.showNotice();
  }

  /** Whether the conditions of the exercise include the camera picture. */
  get allowed() {
    return this.hello?.source.conditions?.camera !== false;
  }

  /** Show why there is no picture: WebGL failed, or the conditions exclude the camera. */
  showNotice() {
    if (!this.notice) return;
    const failed = this.failed !== "";
    this.notice.textContent = failed ? NO_PICTURE : "camera off";
    this.notice.classList.toggle("hidden", !failed && this.allowed);
    this.notice.title = this.failed;
  }

  /**
   * Draw a frame, if the frame limit of the conditions lets it pass.
   * @param {(delay_s: number) => import("./types.js").Sample | null} stateBefore the displayed state, older by a delay
   * @param {number} now ms
   */
  draw(stateBefore, now) {
    if (!this.view || !this.allowed) return;
    const conditions = this.hello?.source.conditions ?? {};
    if (!this.gate.passes(now, conditions.frame_limit_hz)) return;
    const sample = stateBefore(conditions.image_delay_s ?? 0);
    if (!sample) return;
    this.fit();
    this.view.render(sample, now, { mode: this.mode, contacts: this.contacts?.at(sample.time) });
    this.rate.count(now);
    if (this.setting === "auto" && !conditions.frame_limit_hz && this.slow.count(now - this.last)) {
      // setQuality also changes the setting; restore it
      void this.setQuality("low").then(() => (this.setting = "auto"));
    }
    this.last = now;
  }

  /** Resize the view to the stage. */
  fit() {
    const { clientWidth: width, clientHeight: height } = this.stage;
    const ratio = this.quality === "low" ? 1 : Math.min(MOST_RATIO, globalThis.devicePixelRatio || 1);
    const size = `${width}x${height}@${ratio}`;
    if (size === this.size || width < 2 || height < 2) return;
    this.size = size;
    this.view.resize(width, height, ratio);
  }

  // ---- dragging: orbits the chase camera around the vehicle, pans and tilts the pilot's camera

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
   * Rates of pan and tilt, proportional to the length of the drag.
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
