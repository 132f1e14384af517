// Connects the parts of the console. Snapshots from the link go into the history, views and instruments draw states
// interpolated from the history, and the dispatcher turns the pilot's actions into orders for the link.
import { Announcer } from "./announce.js";
import { CameraStage } from "./camera_stage.js";
import { Contacts } from "./contacts.js";
import { Bindings } from "./controls/bindings.js";
import { CameraLimits } from "./controls/camera_limits.js";
import { Pad } from "./controls/gamepad.js";
import { HeldButtons } from "./controls/held_buttons.js";
import { Keyboard } from "./controls/keyboard.js";
import { Sticks } from "./controls/sticks.js";
import { showTouchSticks, Touch } from "./controls/touch.js";
import { Dispatcher } from "./dispatcher.js";
import { FrameGate } from "./frame_rate.js";
import { Instruments } from "./instruments/all.js";
import { Overlay } from "./instruments/overlay.js";
import { Sound } from "./instruments/sound.js";
import { Link, socketAddress, tokenStatus, troubleText } from "./link.js";
import { ControlsPanel } from "./panels/controls.js";
import { Handover } from "./panels/handover.js";
import { HelpPanel } from "./panels/help.js";
import { InstructorPanel } from "./panels/instructor.js";
import { LinksPanel } from "./panels/links.js";
import { ReplayPanel } from "./panels/replay.js";
import { roleText, SessionPanel } from "./panels/session.js";
import { SettingsPanel } from "./panels/settings.js";
import { Sheets } from "./panels/sheets.js";
import { TaskPanel } from "./panels/task.js";
import { cameraInUse } from "./plan/layers.js";
import { SideView } from "./plan/side_view.js";
import { TopView } from "./plan/top_view.js";
import { Preferences } from "./preferences.js";
import { History } from "./state.js";

// The displayed state is this many snapshot intervals old: one for interpolation, the rest for late snapshots.
const DISPLAY_DELAY = 1.2;
const LIVE_BUTTONS = ["btn-record", "btn-reset", "btn-task", "btn-instructor", "btn-controls"];
const INSTRUMENTS_HZ = 30; // also of plan views and panels: more than this cannot be read

/** @typedef {import("./types.js").Hello} Hello */

/** Owns the parts of the console and passes messages, actions and states between them. */
export class App {
  /**
   * @param {Window} window
   * @param {Storage | null} storage
   */
  constructor(window, storage) {
    const { document, location } = window;
    const query = new URLSearchParams(location.search);
    this.window = window;
    this.document = document;
    this.preferences = new Preferences(storage);
    this.bindings = new Bindings(storage);
    this.history = new History();
    this.announcer = new Announcer(document.getElementById("toasts"));
    this.keyboard = new Keyboard(window, this.bindings);
    this.pad = new Pad(this.bindings);
    const [left, right] = [requiredElement(document, "touch-left"), requiredElement(document, "touch-right")];
    this.touch = new Touch(left, right, this.bindings);
    this.qualityFromAddress = query.get("quality");
    this.camera = new CameraStage(document, this.quality());
    this.heldButtons = new HeldButtons();
    this.sticks = new Sticks(this.keyboard, this.pad, [this.touch, this.camera, this.heldButtons]);
    this.cameraLimits = new CameraLimits((text) => this.announcer.show(text));
    this.link = new Link({
      address: socketAddress(location), readInput: () => this.readInput(), status: () => tokenStatus(location),
    });
    this.top = new TopView(/** @type {HTMLCanvasElement} */ (requiredElement(document, "top")));
    this.side = new SideView(/** @type {HTMLCanvasElement} */ (requiredElement(document, "side")));
    this.instruments = new Instruments(document);
    this.overlay = new Overlay(document);
    this.sound = new Sound();
    this.contacts = this.top.contacts = this.side.contacts = this.camera.contacts = new Contacts();
    this.dispatcher = new Dispatcher(this);
    this.instrumentsGate = new FrameGate();
    this.time = NaN;
    /** @type {Map<string, string>} */
    this.failures = new Map();
    const send = (/** @type {string} */ name, /** @type {Record<string, any>} */ values = {}) =>
      this.dispatcher.send(name, values);
    const { bindings, preferences, keyboard, pad } = this;
    this.sheets = new Sheets(document);
    this.tasks = new TaskPanel(send);
    this.instructor = new InstructorPanel(send);
    this.session = new SessionPanel(this.link);
    this.links = new LinksPanel(document);
    this.replay = new ReplayPanel(send);
    this.controls = new ControlsPanel((action) => this.dispatcher.do(action), this.heldButtons, bindings);
    this.handover = new Handover(requiredElement(document, "stage"), this.link);
    this.help = new HelpPanel(bindings);
    this.settings = new SettingsPanel({ bindings, preferences, keyboard, pad });
    const touch = () => (this.link.hello?.mode === "replay" ? "off" : this.preferences.values.touch);
    this.showTouch = showTouchSticks(window, touch);
    this.connectEvents();
    this.applyPreferences();
  }

  /**
   * The picture quality: `quality` in the page's address overrides the preference.
   * @returns {"auto" | "low" | "high"}
   */
  quality() {
    const { qualityFromAddress: quality } = this;
    return quality === "low" || quality === "high" ? quality : this.preferences.values.quality;
  }

  /** Load the camera view, connect to the server and draw each animation frame. */
  start() {
    void this.camera.open();
    this.link.start();
    const frame = (/** @type {number} */ now) => {
      this.window.requestAnimationFrame(frame);
      this.draw(now);
    };
    this.window.requestAnimationFrame(frame);
  }

  /** Read the sticks, and report a camera input that the camera in use cannot follow. */
  readInput() {
    const input = this.sticks.read();
    const sample = this.history.latest();
    if (this.link.steering() && sample) {
      this.cameraLimits.check(cameraInUse(this.link.hello?.source.vehicle, sample), input);
    }
    return input;
  }

  /** Connect messages of the link and actions of the pilot to the parts that handle them. */
  connectEvents() {
    /** @param {EventTarget} source @param {string} type @param {(detail: any) => void} handle */
    const on = (source, type, handle) =>
      source.addEventListener(type, (event) => handle(/** @type {CustomEvent} */ (event).detail));
    on(this.link, "hello", (hello) => this.setHello(hello));
    on(this.link, "snapshot", (snapshot) => this.history.push(snapshot, performance.now()));
    on(this.link, "event", (event) => this.handleEvent(event));
    on(this.link, "roster", (roster) => this.setRoster(roster));
    on(this.link, "contacts", (message) => this.contacts.set(message));
    on(this.link, "links", (message) => this.links.set(message, performance.now()));
    on(this.link, "close", () => this.handleDisconnect());
    on(this.link, "refused", ({ order, text }) => {
      this.dispatcher.pendingOrders.remove(order);
      this.announcer.show(text, "refused");
    });
    on(this.link, "problem", ({ text }) => this.announcer.show(text, "refused"));
    on(this.link, "result", (result) => {
      this.sheets.show("panel-task");
      this.tasks.setResult(result);
    });
    on(this.keyboard, "action", (action) => this.dispatcher.do(action));
    on(this.pad, "action", (action) => this.dispatcher.do(action));
    on(this.document, "order", (order) => this.dispatcher.order(order));
    on(this.top.canvas, "pick", (place) => this.handlePick(place));
    on(this.sheets, "close", (id) => {
      this.heldButtons.clear();
      if (id === "panel-settings") this.settings.stopListening();
    });
    this.window.addEventListener("blur", () => this.heldButtons.clear());
    this.preferences.addEventListener("change", () => this.applyPreferences());
    this.connectButtons();
  }

  connectButtons() {
    for (const button of this.document.querySelectorAll("[data-view], [data-toggle], [data-run]")) {
      const { view, toggle, run } = /** @type {HTMLElement} */ (button).dataset;
      button.addEventListener("click", () => {
        if (view) this.dispatcher.setView(view === "chase" ? "chase" : "pilot");
        if (toggle) this.dispatcher.toggle(toggle);
        if (run) this.dispatcher.do(run);
      });
    }
  }

  /**
   * Send the ship to a place clicked in the top view, while the pilot is choosing one or if Shift was held (`move`).
   * @param {{north_m: number, east_m: number, move?: boolean}} place
   */
  handlePick(place) {
    if (this.dispatcher.ship.on || place.move) this.dispatcher.shipTo(place);
  }

  /** Pass the preferences to the parts that use them. */
  applyPreferences() {
    const { values } = this.preferences;
    this.sound.hum = values.hum;
    this.sound.muted = values.muted;
    this.pad.shape = { deadZone: values.deadZone, expo: values.expo };
    this.showTouch();
    void this.camera.setQuality(this.quality());
    this.dispatcher.showToggles();
  }

  /**
   * Prepare all parts for the source that a hello describes: the server sends one at connection and for a new flight.
   * @param {Hello} hello
   */
  setHello(hello) {
    this.history.setColumns(hello.columns);
    this.contacts.clear(); // the server sends those of the new flight right after hello
    this.sound.setHello(hello);
    const views = [this.top, this.side, this.instruments, this.overlay, this.camera];
    const panels = [this.tasks, this.instructor, this.replay, this.controls];
    for (const part of [...views, ...panels]) this.guard(part.constructor.name, () => part.setHello(hello));
    this.camera.showNotice();
    this.showMode(hello.mode === "replay");
    if (!this.top.shown || !hello.source.vehicle.has_tether) this.dispatcher.ship.end();
    if (this.link.roster) this.setRoster(this.link.roster);
    this.dispatcher.showToggles();
    this.showTouch();
    this.dispatcher.shipButton.classList.toggle("hidden", !hello.source.vehicle.has_tether || hello.mode === "replay");
  }

  /**
   * In a replay hide the buttons that change a flight, and let the lamps only display.
   * @param {boolean} replay
   */
  showMode(replay) {
    this.document.body.classList.toggle("replaying", replay);
    for (const id of LIVE_BUTTONS) this.document.getElementById(id)?.classList.toggle("hidden", replay);
    requiredElement(this.document, "lamps").inert = replay;
  }

  /** Without a connection the roster and the links are unknown: clear them. */
  handleDisconnect() {
    requiredElement(this.document, "role").textContent = "";
    this.session.clear();
    this.links.clear();
    this.handover.setRoster(null, "", performance.now());
  }

  /** @param {import("./types.js").RosterMessage} roster */
  setRoster(roster) {
    const { hello } = this.link;
    const you = hello?.you ?? "";
    requiredElement(this.document, "role").textContent = hello?.mode === "live" ? roleText(roster, you) : "";
    this.session.setRoster(roster, you);
    this.instructor.setRoster(roster, you);
    this.handover.setRoster(roster, you, performance.now());
  }

  /** @param {import("./types.js").EventMessage} event */
  handleEvent(event) {
    if (event.kind === "reset") this.clear();
    if (event.faults_acting || event.kind === "reset") this.instructor.setActing(event.faults_acting ?? []);
    this.announcer.showEvent(event);
  }

  /** Clear trails and trends, which are invalid after a jump of simulated time. */
  clear() {
    this.top.clear();
    this.side.clear();
    this.instruments.clear();
  }

  /**
   * Run code of one part. An error is shown once per part and does not stop the other parts.
   * @param {string} part
   * @param {() => void} run
   */
  guard(part, run) {
    try {
      run();
    } catch (error) {
      if (this.failures.has(part)) return;
      this.failures.set(part, String(error));
      console.error(error);
      this.announcer.show(`${part} failed: ${String(error)}`, "failed");
    }
  }

  /**
   * Draw a frame: the camera picture at the rate of the screen, everything else less often.
   * @param {number} now ms
   */
  draw(now) {
    const displayed = now - (1000 * DISPLAY_DELAY) / (this.link.hello?.snapshot_hz || 25);
    this.guard("CameraView", () => this.camera.draw((delay) => this.history.at(displayed - 1000 * delay), now));
    if (!this.instrumentsGate.passes(now, INSTRUMENTS_HZ)) return;
    const sample = this.history.at(displayed);
    if (sample && sample.time < this.time - 1e-6) this.clear();
    if (sample) this.time = sample.time;
    this.drawInstruments(sample, now);
  }

  /**
   * Draw instruments, plan views, overlay and panels.
   * @param {import("./types.js").Sample | null} sample
   * @param {number} now ms
   */
  drawInstruments(sample, now) {
    const { link } = this;
    const lost = link.lost && link.status?.phase !== "compiling";
    const trouble = link.trouble && troubleText(link.trouble, { reason: link.reason, before: link.hello !== null });
    const state = trouble ? "closed" : lost ? "lost" : link.hello ? link.state : "opening";
    this.document.body.classList.toggle("offline", state === "closed" || state === "lost");
    const marked = lost ? markedLost(sample) : sample;
    const delay = link.hello?.source.conditions?.image_delay_s ?? 0;
    const readings = {
      latency_ms: Number.isFinite(link.inputDelay) ? link.inputDelay : link.latency,
      fps: this.camera.rate.hz,
      link: state,
    };
    const context = {
      view: this.camera.mode, status: link.status, link: state, replay: link.hello?.mode === "replay", delay_s: delay,
      task: this.tasks.line, trouble,
    };
    this.guard("Instruments", () => this.instruments.draw(marked, now, readings));
    this.guard("TopView", () => this.top.draw(sample, now));
    this.guard("SideView", () => this.side.draw(sample, now));
    this.guard("Overlay", () => this.overlay.draw(marked, now, context));
    this.guard("Sound", () => this.sound.draw(sample));
    this.guard("TaskPanel", () => this.tasks.draw(sample, now));
    this.replay.draw(sample);
    this.controls.draw(sample, now);
    this.handover.draw(now);
    this.settings.draw();
  }
}

/**
 * The last known state with `link_lost` set: without a connection the server cannot set it.
 * @param {import("./types.js").Sample | null} sample
 * @returns {import("./types.js").Sample | null}
 */
function markedLost(sample) {
  if (!sample) return null;
  const { time, seq } = sample;
  return { time, seq, get: (name) => (name === "link_lost" ? 1 : sample.get(name)) };
}

/**
 * An element of the page by its id; an error if the page lacks it.
 * @param {Document} document
 * @param {string} id
 */
function requiredElement(document, id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no element #${id}`);
  return element;
}
