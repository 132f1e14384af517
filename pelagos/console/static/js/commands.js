// What an action does: an order to the server, or something on this page alone. Keys, buttons and gamepad end here.
import { Commanded } from "./controls/commanded.js";
import { orderOf } from "./controls/orders.js";
import { ShipPlace } from "./controls/ship_place.js";
import { seatAction } from "./panels/session.js";

/** @typedef {import("./app.js").App} App */

const OF_REPLAY = new Set(["seek", "pause", "time_scale"]);

export class Commands {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.commanded = new Commanded();
    this.shipButton = shipTool(app.document, () => this.moveShip());
    this.ship = new ShipPlace(app.top, (place) => this.order({ name: "ship", ...place }), (on) => this.showShip(on));
    app.keyboard.first = (key) => this.ship.key(key);
    /** @type {Record<string, () => void>} */
    this.own = {
      view_chase: () => this.view(app.camera.mode === "pilot" ? "chase" : "pilot"),
      top_view: () => this.toggle("top"),
      side_view: () => this.toggle("side"),
      sound: () => this.toggle("sound"),
      top_form: () => (app.top.form = app.top.form === "heading-up" ? "north-up" : "heading-up"),
      top_in: () => app.top.zoom(1.4),
      top_out: () => app.top.zoom(1 / 1.4),
      controls: () => app.sheets.toggle("panel-controls"),
      help: () => app.sheets.toggle("panel-help"),
      control: () => this.control(),
      ship_move: () => this.moveShip(),
      camera_next: () => this.nextCamera(),
    };
  }

  /** @param {string} action */
  do(action) {
    const own = this.own[action];
    if (own) {
      own();
      return;
    }
    const { history, link, preferences } = this.app;
    const settings = { ...preferences.likes, duration_s: link.hello?.source.duration_s };
    const order = orderOf(action, this.commanded.over(history.latest()), settings);
    if (order) this.order(order);
  }

  /** @param {import("./types.js").Order} order */
  order({ name, ...values }) {
    this.send(name, values);
  }

  /**
   * @param {string} name
   * @param {Record<string, any>} values
   */
  send(name, values) {
    const { link, announcer } = this.app;
    if (link.hello?.mode === "replay" && !OF_REPLAY.has(name)) {
      announcer.say("this is a replay: what was flown cannot be changed", "refused");
    } else if (link.order(name, values)) {
      this.commanded.note({ ...values, name });
    } else {
      announcer.say("not sent: there is no connection", "refused");
    }
  }

  /** @param {"pilot" | "chase"} mode */
  view(mode) {
    this.app.camera.mode = mode;
    for (const button of this.app.document.querySelectorAll("[data-view]")) {
      button.setAttribute("aria-pressed", String(button.getAttribute("data-view") === mode));
    }
  }

  /** @param {string} what top, side or sound */
  toggle(what) {
    const { app } = this;
    if (what === "top") {
      app.top.shown = !app.top.shown;
      if (!app.top.shown) this.ship.end();
    }
    if (what === "side") app.side.shown = !app.side.shown;
    if (what === "sound") app.preferences.set({ hum: !app.preferences.likes.hum });
    this.showToggles();
  }

  showToggles() {
    const { app } = this;
    const on = { top: app.top.shown, side: app.side.shown, sound: app.preferences.likes.hum };
    for (const [what, value] of Object.entries(on)) {
      app.document.querySelector(`[data-toggle="${what}"]`)?.setAttribute("aria-pressed", String(value));
    }
  }

  /** Take the controls, ask for them, hand them to who asks, or give them up. */
  control() {
    const { link, announcer } = this.app;
    if (!link.roster || !link.hello) return;
    const move = seatAction(link.roster, link.hello.you, "pilot");
    const asked = link.roster.requests.find((one) => one.role === "pilot");
    if (move === "waiting") announcer.say("you have asked already; wait for the answer");
    else if (move === "release" && asked) link.lease("grant", "pilot", asked.id);
    else link.lease(move, "pilot");
  }

  /** Begin to choose a place for the ship, or leave it. */
  moveShip() {
    const { announcer, history, link, sheets, top } = this.app;
    if (this.ship.on) this.ship.end();
    else if (!link.hello?.source.vehicle.has_tether) announcer.say("there is no ship: this vehicle has no tether");
    else if (!top.shown) announcer.say("the top view is off: the ship is moved there");
    else {
      sheets.close(); // it may lie over the top view
      this.ship.begin(history.latest());
      announcer.say("choose where the ship shall go: a click in the top view, or arrows and Enter; Escape leaves it");
    }
  }

  /** @param {boolean} on */
  showShip(on) {
    this.app.document.body.classList.toggle("moving-ship", on);
    this.shipButton.setAttribute("aria-pressed", String(on));
  }

  /** @param {{north_m: number, east_m: number}} place */
  shipTo({ north_m, east_m }) {
    this.order({ name: "ship", north_m, east_m });
    this.ship.end();
  }

  nextCamera() {
    const cameras = this.app.link.hello?.source.vehicle.cameras ?? [];
    if (cameras.length < 2) {
      this.app.announcer.say("this vehicle has only this camera");
      return;
    }
    const now = this.commanded.over(this.app.history.latest())?.get("camera_index") || 0;
    this.order({ name: "camera", index: (now + 1) % cameras.length });
  }
}

/**
 * The button beside the top view with which a place for the ship is chosen; hidden while there is no tether.
 * @param {Document} document
 * @param {() => void} pressed
 */
function shipTool(document, pressed) {
  const button = document.createElement("button");
  button.type = "button";
  button.id = "btn-ship";
  button.textContent = "ship";
  button.className = "hidden";
  button.setAttribute("aria-pressed", "false");
  button.setAttribute("aria-label", "Move the ship: then choose a place in the top view");
  button.addEventListener("click", pressed);
  document.querySelector("#top-figure figcaption")?.append(button);
  return button;
}
