// The console put together: what comes from the link goes into the history, what is drawn comes out of it, what the
// pilot does goes through the commands to the link.
import { Announcer } from "./announce.js";
import { CameraStage } from "./camera_stage.js";
import { Commands } from "./commands.js";
import { Contacts } from "./contacts.js";
import { Bindings } from "./controls/bindings.js";
import { CameraReach } from "./controls/camera_reach.js";
import { Pad } from "./controls/gamepad.js";
import { HeldButtons } from "./controls/held_buttons.js";
import { Keyboard } from "./controls/keyboard.js";
import { Sticks } from "./controls/sticks.js";
import { showTouchSticks, Touch } from "./controls/touch.js";
import { FrameGate } from "./frame_rate.js";
import { Instruments } from "./instruments/all.js";
import { Link, socketAddress, tokenStatus, troubleText } from "./link.js";
import { Overlay } from "./overlay.js";
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
import { Sound } from "./sound.js";
import { History } from "./state.js";

const BEHIND = 1.2; // snapshot intervals: one, and room for one that is late
const OF_A_FLIGHT = ["btn-record", "btn-reset", "btn-task", "btn-instructor", "btn-controls"];
const PLAIN_HZ = 30; // instruments and plan views need not follow a fast screen

/** @typedef {import("./types.js").Hello} Hello */

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
    this.touch = new Touch(found(document, "touch-left"), found(document, "touch-right"), this.bindings);
    this.asked = query.get("quality");
    this.camera = new CameraStage(document, this.quality());
    this.held = new HeldButtons();
    this.sticks = new Sticks(this.keyboard, this.pad, [this.touch, this.camera, this.held]);
    this.reach = new CameraReach((text) => this.announcer.say(text));
    this.link = new Link({
      address: socketAddress(location), readInput: () => this.readInput(), status: () => tokenStatus(location),
    });
    this.top = new TopView(/** @type {HTMLCanvasElement} */ (found(document, "top")));
    this.side = new SideView(/** @type {HTMLCanvasElement} */ (found(document, "side")));
    this.instruments = new Instruments(document);
    this.overlay = new Overlay(document);
    this.sound = new Sound();
    this.contacts = this.top.contacts = this.side.contacts = this.camera.contacts = new Contacts();
    this.commands = new Commands(this);
    this.plainGate = new FrameGate();
    this.time = NaN;
    /** @type {Map<string, string>} */
    this.failures = new Map();
    const send = (/** @type {string} */ name, /** @type {Record<string, any>} */ values = {}) =>
      this.commands.send(name, values);
    const { bindings, preferences, keyboard, pad } = this;
    this.sheets = new Sheets(document);
    this.tasks = new TaskPanel(send);
    this.instructor = new InstructorPanel(send);
    this.session = new SessionPanel(this.link);
    this.links = new LinksPanel(document);
    this.replay = new ReplayPanel(send);
    this.controls = new ControlsPanel((action) => this.commands.do(action), this.held, bindings);
    this.handover = new Handover(found(document, "stage"), this.link);
    this.help = new HelpPanel(bindings);
    this.settings = new SettingsPanel({ bindings, preferences, keyboard, pad });
    const touch = () => (this.link.hello?.mode === "replay" ? "off" : this.preferences.likes.touch);
    this.showTouch = showTouchSticks(window, touch);
    this.listen();
    this.prefer();
  }

  /** @returns {"auto" | "low" | "high"} */
  quality() {
    return this.asked === "low" || this.asked === "high" ? this.asked : this.preferences.likes.quality;
  }

  start() {
    void this.camera.open();
    this.link.start();
    const frame = (/** @type {number} */ now) => {
      this.window.requestAnimationFrame(frame);
      this.draw(now);
    };
    this.window.requestAnimationFrame(frame);
  }

  readInput() {
    const input = this.sticks.read();
    const sample = this.history.latest();
    if (this.link.steering() && sample) {
      this.reach.watch(cameraInUse(this.link.hello?.source.vehicle, sample), input);
    }
    return input;
  }

  listen() {
    /** @param {EventTarget} from @param {string} type @param {(detail: any) => void} act */
    const on = (from, type, act) =>
      from.addEventListener(type, (event) => act(/** @type {CustomEvent} */ (event).detail));
    on(this.link, "hello", (hello) => this.setHello(hello));
    on(this.link, "snapshot", (snapshot) => this.history.push(snapshot, performance.now()));
    on(this.link, "event", (event) => this.happened(event));
    on(this.link, "roster", (roster) => this.setRoster(roster));
    on(this.link, "contacts", (message) => this.contacts.set(message));
    on(this.link, "links", (message) => this.links.set(message, performance.now()));
    on(this.link, "close", () => this.cut());
    on(this.link, "refused", ({ order, text }) => {
      this.commands.commanded.forget(order);
      this.announcer.say(text, "refused");
    });
    on(this.link, "problem", ({ text }) => this.announcer.say(text, "refused"));
    on(this.link, "result", (result) => {
      this.sheets.show("panel-task");
      this.tasks.setResult(result);
    });
    on(this.keyboard, "action", (action) => this.commands.do(action));
    on(this.pad, "action", (action) => this.commands.do(action));
    on(this.document, "order", (order) => this.commands.order(order));
    on(this.top.canvas, "pick", (place) => this.picked(place));
    on(this.sheets, "close", (id) => {
      this.held.clear();
      if (id === "panel-settings") this.settings.stopListening();
    });
    this.window.addEventListener("blur", () => this.held.clear());
    this.preferences.addEventListener("change", () => this.prefer());
    this.listenToButtons();
  }

  listenToButtons() {
    for (const button of this.document.querySelectorAll("[data-view], [data-toggle], [data-run]")) {
      const { view, toggle, run } = /** @type {HTMLElement} */ (button).dataset;
      button.addEventListener("click", () => {
        if (view) this.commands.view(view === "chase" ? "chase" : "pilot");
        if (toggle) this.commands.toggle(toggle);
        if (run) this.commands.do(run);
      });
    }
  }

  /** @param {{north_m: number, east_m: number, move?: boolean}} place */
  picked(place) {
    if (this.commands.ship.on || place.move) this.commands.shipTo(place);
  }

  prefer() {
    const { likes } = this.preferences;
    this.sound.hum = likes.hum;
    this.sound.muted = likes.muted;
    this.pad.shape = { deadZone: likes.deadZone, expo: likes.expo };
    this.showTouch();
    void this.camera.setQuality(this.quality());
    this.commands.showToggles();
  }

  /** @param {Hello} hello */
  setHello(hello) {
    this.history.setColumns(hello.columns);
    this.contacts.clear(); // of the flight before; those of this one are told again at once
    this.sound.setHello(hello);
    const views = [this.top, this.side, this.instruments, this.overlay, this.camera];
    const panels = [this.tasks, this.instructor, this.replay, this.controls];
    for (const part of [...views, ...panels]) this.alive(part.constructor.name, () => part.setHello(hello));
    this.camera.tell();
    this.showMode(hello.mode === "replay");
    if (!this.top.shown || !hello.source.vehicle.has_tether) this.commands.ship.end();
    if (this.link.roster) this.setRoster(this.link.roster);
    this.commands.showToggles();
    this.showTouch();
    this.commands.shipButton.classList.toggle("hidden", !hello.source.vehicle.has_tether || hello.mode === "replay");
  }

  /**
   * What was flown cannot be changed: in a replay the buttons for that are away, and the lamps only show.
   * @param {boolean} replay
   */
  showMode(replay) {
    this.document.body.classList.toggle("replaying", replay);
    for (const id of OF_A_FLIGHT) this.document.getElementById(id)?.classList.toggle("hidden", replay);
    found(this.document, "lamps").inert = replay;
  }

  /** The line is cut: nobody knows who flies, and what the instruments show is old. */
  cut() {
    found(this.document, "role").textContent = "";
    this.session.clear();
    this.links.clear();
    this.handover.setRoster(null, "", performance.now());
  }

  /** @param {import("./types.js").RosterMessage} roster */
  setRoster(roster) {
    const { hello } = this.link;
    const you = hello?.you ?? "";
    found(this.document, "role").textContent = hello?.mode === "live" ? roleText(roster, you) : "";
    this.session.setRoster(roster, you);
    this.instructor.setRoster(roster, you);
    this.handover.setRoster(roster, you, performance.now());
  }

  /** @param {import("./types.js").EventMessage} event */
  happened(event) {
    if (event.kind === "reset") this.clear();
    if (event.faults_acting || event.kind === "reset") this.instructor.setActing(event.faults_acting ?? []);
    this.announcer.event(event);
  }

  /** After a jump of time nothing drawn before holds any more. */
  clear() {
    this.top.clear();
    this.side.clear();
    this.instruments.clear();
  }

  /**
   * Do something of one part; if it fails, say so once: the other parts go on.
   * @param {string} part
   * @param {() => void} act
   */
  alive(part, act) {
    try {
      act();
    } catch (error) {
      if (this.failures.has(part)) return;
      this.failures.set(part, String(error));
      console.error(error);
      this.announcer.say(`${part} failed: ${String(error)}`, "failed");
    }
  }

  /** @param {number} now ms */
  draw(now) {
    const behind = (1000 * BEHIND) / (this.link.hello?.snapshot_hz || 25);
    this.alive("CameraView", () => this.camera.draw((delay) => this.history.at(now - behind - 1000 * delay), now));
    if (!this.plainGate.passes(now, PLAIN_HZ)) return;
    const sample = this.history.at(now - behind);
    if (sample && sample.time < this.time - 1e-6) this.clear();
    if (sample) this.time = sample.time;
    this.drawPlain(sample, now);
  }

  /**
   * @param {import("./types.js").Sample | null} sample
   * @param {number} now ms
   */
  drawPlain(sample, now) {
    const { link } = this;
    const lost = link.lost && link.status?.phase !== "compiling";
    const trouble = link.trouble && troubleText(link.trouble, { reason: link.reason, before: link.hello !== null });
    const state = trouble ? "closed" : lost ? "lost" : link.hello ? link.state : "opening";
    this.document.body.classList.toggle("offline", state === "closed" || state === "lost");
    const seen = lost ? unheard(sample) : sample;
    const delay = link.hello?.source.conditions?.image_delay_s ?? 0;
    const readings = {
      latency_ms: Number.isFinite(link.inputDelay) ? link.inputDelay : link.latency,
      fps: this.camera.rate.hz,
      link: state,
    };
    const around = {
      view: this.camera.mode, status: link.status, link: state, replay: link.hello?.mode === "replay", delay_s: delay,
      task: this.tasks.line, trouble,
    };
    this.alive("Instruments", () => this.instruments.draw(seen, now, readings));
    this.alive("TopView", () => this.top.draw(sample, now));
    this.alive("SideView", () => this.side.draw(sample, now));
    this.alive("Overlay", () => this.overlay.draw(seen, now, around));
    this.alive("Sound", () => this.sound.draw(sample));
    this.alive("TaskPanel", () => this.tasks.draw(sample, now));
    this.replay.draw(sample);
    this.controls.draw(sample, now);
    this.handover.draw(now);
    this.settings.draw();
  }
}

/**
 * The last state that is known, marked as one of a link that is lost: the server cannot say so any more.
 * @param {import("./types.js").Sample | null} sample
 * @returns {import("./types.js").Sample | null}
 */
function unheard(sample) {
  if (!sample) return null;
  const { time, seq } = sample;
  return { time, seq, get: (name) => (name === "link_lost" ? 1 : sample.get(name)) };
}

/**
 * @param {Document} document
 * @param {string} id
 */
function found(document, id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no element #${id}`);
  return element;
}
