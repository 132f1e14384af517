// Builds all instruments into the containers of the page and draws them.
import { Actuators } from "./actuators.js";
import { write } from "./box.js";
import { Compass } from "./compass.js";
import { clock, formatNumber } from "./format.js";
import { Horizon } from "./horizon.js";
import { Lamps } from "./lamps.js";
import { LinkReadings, Navigation, PowerReadings, TetherReadings } from "./readings.js";
import { Tape } from "./tape.js";
import { Warnings } from "./warnings.js";

/** @typedef {import("../types.js").Hello} Hello */
/** @typedef {import("../types.js").Sample} Sample */
/** @typedef {import("./readings.js").PageStatus} PageStatus */

const FIGURES_MS = 100; // between two updates of numbers: faster ones cannot be read

/**
 * @param {Document} document
 * @param {string} id
 */
function container(document, id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no element #${id}`);
  return element;
}

/** All instruments, lamps and warnings of the page. */
export class Instruments {
  /** @param {Document} document */
  constructor(document) {
    this.document = document;
    const place = container(document, "instruments");
    const systems = container(document, "systems");
    this.horizon = new Horizon(place);
    this.compass = new Compass(place);
    this.depth = new Tape(place, {
      title: "Depth, m", column: "depth_m", hold: "hold_depth_m", downward: 1, id: "tape-depth",
    });
    this.altitude = new Tape(place, {
      title: "Altitude, m", column: "altitude_m", hold: "hold_altitude_m", downward: -1, id: "tape-altitude",
    });
    this.navigation = new Navigation(place);
    this.actuators = new Actuators(place);
    this.tether = new TetherReadings(systems);
    this.power = new PowerReadings(systems);
    this.link = new LinkReadings(systems);
    this.lamps = new Lamps(container(document, "lamps"));
    this.warnings = new Warnings(container(document, "warnings"));
    this.figuresAt = -Infinity;
  }

  /** @param {Hello} hello */
  setHello(hello) {
    this.actuators.setHello(hello);
    this.lamps.setHello(hello);
    this.warnings.setHello(hello);
    write(container(this.document, "vehicle-name"), hello.source.vehicle?.name ?? "");
    for (const id of ["world-name", "world-name-bar"]) {
      write(container(this.document, id), hello.source.scene?.name ?? "");
    }
    this.clear();
  }

  /** Restart the trends, after a jump of simulated time. */
  clear() {
    this.depth.clear();
    this.altitude.clear();
    this.figuresAt = -Infinity;
  }

  /**
   * @param {Sample | null} sample
   * @param {number} now ms
   * @param {PageStatus} [page]
   */
  draw(sample, now, page = {}) {
    if (sample) {
      this.horizon.draw(sample);
      this.compass.draw(sample);
      this.depth.draw(sample);
      this.altitude.draw(sample);
      this.actuators.draw(sample);
    }
    if (now - this.figuresAt < FIGURES_MS) return;
    this.figuresAt = now;
    this.link.draw(sample, page);
    if (!sample) return;
    this.navigation.draw(sample);
    this.tether.draw(sample);
    this.power.draw(sample);
    this.lamps.draw(sample);
    this.warnings.draw(sample, now, page);
    this.drawBar(sample);
  }

  /** @param {Sample} sample */
  drawBar(sample) {
    write(container(this.document, "clock-time"), clock(sample.time));
    const scale = sample.get("time_scale");
    const rate = scale === 1 || Number.isNaN(scale) ? "" : `\u00d7${formatNumber(scale, 1)}`;
    write(container(this.document, "clock-scale"), rate);
    for (const [id, column] of [["btn-pause", "paused"], ["btn-record", "recording"]]) {
      const pressed = String(sample.get(column) > 0);
      const button = container(this.document, id);
      if (button.getAttribute("aria-pressed") !== pressed) button.setAttribute("aria-pressed", pressed);
    }
  }
}
