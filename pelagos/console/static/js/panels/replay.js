// Controls a replay: time bar with the events, play and pause, speed.
import { button, dropDown, make } from "./build.js";
import { TIME_SCALES } from "../controls/orders.js";

/** Colours of events by kind. */
const COLOURS = /** @type {Record<string, string>} */ ({
  collision: "#d55e00", fault: "#e69f00", warning: "#f0e442", link_lost: "#d55e00", task: "#009e73", mode: "#56b4e9",
});

/**
 * A time as minutes and seconds: 83.4 is "1:23.4".
 * @param {number} seconds
 */
export function clockText(seconds) {
  if (!Number.isFinite(seconds)) return "–";
  const tenths = Math.round(Math.max(0, seconds) * 10);
  const rest = tenths % 600;
  return `${Math.floor(tenths / 600)}:${String(Math.floor(rest / 10)).padStart(2, "0")}.${rest % 10}`;
}

/** The time bar of a replay. */
export class ReplayPanel {
  /** @param {import("./task.js").Send} order */
  constructor(order) {
    this.order = order;
    this.element = /** @type {HTMLElement} */ (document.getElementById("panel-replay"));
    this.duration = 0;
    /** @type {import("../types.js").EventMessage[]} */
    this.events = [];
    this.dragging = false;
    this.paused = false;
    this.ended = false;
    this.play = button("Pause", () => this.toggle(), { id: "replay-play" });
    this.bar = make("input", {
      type: "range", min: "0", step: "0.1", value: "0", id: "replay-time", oninput: () => this.seek(),
      onpointerdown: () => (this.dragging = true), onpointerup: () => (this.dragging = false),
      onpointercancel: () => (this.dragging = false), "aria-label": "Time of the replay",
    });
    this.marks = make("canvas", { id: "replay-marks", "aria-hidden": "true" });
    this.marks.style.height = "10px";
    this.marks.style.width = "100%";
    this.marks.style.display = "block";
    const middle = make("div", {}, this.marks, this.bar);
    middle.style.flex = "1 1 auto";
    this.bar.style.width = "100%";
    this.text = make("output", { id: "replay-text", for: "replay-time" });
    this.speed = dropDown(TIME_SCALES.map((factor) => ({ value: String(factor), text: `×${factor}` })), "1", () =>
      this.order("time_scale", { factor: Number(this.speed.value) }));
    this.speed.id = "replay-speed";
    this.speed.setAttribute("aria-label", "Speed of the replay");
    const start = button("Start", () => this.order("seek", { time_s: 0 }));
    this.element.append(this.play, start, middle, this.text, this.speed);
  }

  /** @param {import("../types.js").Hello} hello */
  setHello(hello) {
    this.element.classList.toggle("hidden", hello.mode !== "replay");
    if (hello.mode !== "replay") return;
    this.duration = hello.source.duration_s ?? 0;
    this.events = hello.source.events ?? [];
    this.bar.max = String(this.duration);
    this.drawMarks();
  }

  toggle() {
    if (this.ended) this.order("seek", { time_s: 0 });
    this.order("pause", { on: this.ended ? false : !this.paused });
  }

  seek() {
    this.order("seek", { time_s: Math.min(this.duration, Number(this.bar.value)) });
  }

  drawMarks() {
    const width = this.marks.clientWidth || 600;
    this.marks.width = width;
    this.marks.height = 10;
    const pen = this.marks.getContext("2d");
    if (!pen || this.duration <= 0) return;
    for (const event of this.events) {
      pen.fillStyle = COLOURS[event.kind] ?? "#8ea3b0";
      pen.fillRect(8 + ((width - 16) * event.time_s) / this.duration - 1, 0, 3, 10);
    }
  }

  /** @param {import("../types.js").Sample | null} sample */
  draw(sample) {
    if (!sample || this.element.classList.contains("hidden")) return;
    if (this.marks.clientWidth > 0 && this.marks.width !== this.marks.clientWidth) this.drawMarks();
    this.paused = sample.get("paused") > 0;
    this.ended = this.duration > 0 && sample.time >= this.duration - 1e-6;
    const label = this.paused || this.ended ? "Play" : "Pause";
    if (this.play.textContent !== label) this.play.textContent = label;
    if (!this.dragging) this.bar.value = String(sample.time);
    const text = `${clockText(sample.time)} / ${clockText(this.duration)}`;
    if (this.text.textContent !== text) {
      this.text.textContent = text;
      this.bar.setAttribute("aria-valuetext", clockText(sample.time));
    }
    const scale = sample.get("time_scale");
    if (Number.isFinite(scale) && document.activeElement !== this.speed) {
      this.speed.value = String(TIME_SCALES.find((factor) => Math.abs(factor - scale) < 1e-3 * factor) ?? 1);
    }
  }
}
