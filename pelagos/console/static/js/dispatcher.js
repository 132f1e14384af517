// Carries out the actions of keys, buttons and gamepad: sends an order to the server or changes the page.
import { orderOf } from "./controls/orders.js";
import { PendingOrders } from "./controls/pending_orders.js";
import { ShipPlace } from "./controls/ship_place.js";
import { seatAction } from "./panels/session.js";

/** @typedef {import("./app.js").App} App */

const REPLAY_ORDERS = new Set(["seek", "pause", "time_scale"]);

/** Carries out actions and sends orders; each key, button and gamepad part ends here. */
export class Dispatcher {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.pendingOrders = new PendingOrders();
    this.shipButton = addShipButton(app.document, () => this.moveShip());
    this.ship = new ShipPlace(app.top, (place) => this.order({ name: "ship", ...place }), (on) => this.showShip(on));
    app.keyboard.intercept = (key) => this.ship.handleKey(key);
    /** Actions that are more than one order; `orderOf` handles the others. @type {Record<string, () => void>} */
    this.handlers = {
      view_chase: () => this.setView(app.camera.mode === "pilot" ? "chase" : "pilot"),
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

  /**
   * Carry out an action.
   * @param {string} action id, as in the table of actions
   */
  do(action) {
    const handle = this.handlers[action];
    if (handle) {
      handle();
      return;
    }
    const { history, link, preferences } = this.app;
    const settings = { ...preferences.values, duration_s: link.hello?.source.duration_s };
    const order = orderOf(action, this.pendingOrders.predict(history.latest()), settings);
    if (order) this.order(order);
  }

  /** @param {import("./types.js").Order} order */
  order({ name, ...values }) {
    this.send(name, values);
  }

  /**
   * Send an order, or show why it cannot be sent.
   * @param {string} name
   * @param {Record<string, any>} values
   */
  send(name, values) {
    const { link, announcer } = this.app;
    if (link.hello?.mode === "replay" && !REPLAY_ORDERS.has(name)) {
      announcer.show("this is a replay: what was flown cannot be changed", "refused");
    } else if (link.order(name, values)) {
      this.pendingOrders.add({ ...values, name });
    } else {
      announcer.show("not sent: there is no connection", "refused");
    }
  }

  /**
   * Show the pilot's camera or the chase camera.
   * @param {"pilot" | "chase"} mode
   */
  setView(mode) {
    this.app.camera.mode = mode;
    for (const button of this.app.document.querySelectorAll("[data-view]")) {
      button.setAttribute("aria-pressed", String(button.getAttribute("data-view") === mode));
    }
  }

  /**
   * Switch a view or the sound on or off.
   * @param {string} part top, side or sound
   */
  toggle(part) {
    const { app } = this;
    if (part === "top") {
      app.top.shown = !app.top.shown;
      if (!app.top.shown) this.ship.end();
    }
    if (part === "side") app.side.shown = !app.side.shown;
    if (part === "sound") app.preferences.set({ hum: !app.preferences.values.hum });
    this.showToggles();
  }

  /** Show on the buttons which views and sounds are on. */
  showToggles() {
    const { app } = this;
    const on = { top: app.top.shown, side: app.side.shown, sound: app.preferences.values.hum };
    for (const [part, value] of Object.entries(on)) {
      app.document.querySelector(`[data-toggle="${part}"]`)?.setAttribute("aria-pressed", String(value));
    }
  }

  /** Take or request the controls; the pilot grants the first request for them, or releases them. */
  control() {
    const { link, announcer } = this.app;
    if (!link.roster || !link.hello) return;
    const move = seatAction(link.roster, link.hello.you, "pilot");
    const request = link.roster.requests.find(({ role }) => role === "pilot");
    if (move === "waiting") announcer.show("you have asked already; wait for the answer");
    else if (move === "release" && request) link.lease("grant", "pilot", request.id);
    else link.lease(move, "pilot");
  }

  /** Begin to choose a place for the ship, or cancel the choice. */
  moveShip() {
    const { announcer, history, link, sheets, top } = this.app;
    if (this.ship.on) this.ship.end();
    else if (!link.hello?.source.vehicle.has_tether) announcer.show("there is no ship: this vehicle has no tether");
    else if (!top.shown) announcer.show("the top view is off: the ship is moved there");
    else {
      sheets.close(); // it may lie over the top view
      this.ship.begin(history.latest());
      announcer.show("choose where the ship shall go: a click in the top view, or arrows and Enter; Escape leaves it");
    }
  }

  /** @param {boolean} on */
  showShip(on) {
    this.app.document.body.classList.toggle("moving-ship", on);
    this.shipButton.setAttribute("aria-pressed", String(on));
  }

  /**
   * Send the ship to a place.
   * @param {{north_m: number, east_m: number}} place
   */
  shipTo({ north_m, east_m }) {
    this.order({ name: "ship", north_m, east_m });
    this.ship.end();
  }

  /** Switch to the next camera of the vehicle, after the last one to the first. */
  nextCamera() {
    const cameras = this.app.link.hello?.source.vehicle.cameras ?? [];
    if (cameras.length < 2) {
      this.app.announcer.show("this vehicle has only this camera");
      return;
    }
    const index = this.pendingOrders.predict(this.app.history.latest())?.get("camera_index") || 0;
    this.order({ name: "camera", index: (index + 1) % cameras.length });
  }
}

/**
 * Add the button for choosing a place of the ship to the caption of the top view, hidden at first.
 * @param {Document} document
 * @param {() => void} press
 */
function addShipButton(document, press) {
  const button = document.createElement("button");
  button.type = "button";
  button.id = "btn-ship";
  button.textContent = "ship";
  button.className = "hidden";
  button.setAttribute("aria-pressed", "false");
  button.setAttribute("aria-label", "Move the ship: then choose a place in the top view");
  button.addEventListener("click", press);
  document.querySelector("#top-figure figcaption")?.append(button);
  return button;
}
