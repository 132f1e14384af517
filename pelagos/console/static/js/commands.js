// What an action does: an order to the server, or something on this page alone. Keys, buttons and gamepad end here.
import { orderOf } from "./controls/orders.js";
import { seatMove } from "./panels/session.js";

/** @typedef {import("./app.js").App} App */

export class Commands {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.movingShip = false;
    this.shipButton = shipTool(app.document, () => this.moveShip(!this.movingShip));
    /** @type {Record<string, () => void>} */
    this.own = {
      view_chase: () => this.view(app.camera.mode === "pilot" ? "chase" : "pilot"),
      top_view: () => this.toggle("top"),
      side_view: () => this.toggle("side"),
      sound: () => this.toggle("sound"),
      top_form: () => (app.top.form = app.top.form === "heading-up" ? "north-up" : "heading-up"),
      top_in: () => app.top.zoom(1.4),
      top_out: () => app.top.zoom(1 / 1.4),
      help: () => app.sheets.toggle("panel-help"),
      control: () => this.control(),
      ship_move: () => this.moveShip(!this.movingShip),
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
    const order = orderOf(action, this.app.history.latest(), this.app.preferences.likes);
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
    if (!this.app.link.order(name, values)) this.app.announcer.say("not sent: there is no connection", "refused");
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
    if (what === "top") app.top.shown = !app.top.shown;
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
    const move = seatMove(link.roster, link.hello.you, "pilot");
    const asked = link.roster.requests.find((one) => one.role === "pilot");
    if (move === "waiting") announcer.say("you have asked already; wait for the answer");
    else if (move === "release" && asked) link.lease("grant", "pilot", asked.id);
    else link.lease(move, "pilot");
  }

  /** @param {boolean} on */
  moveShip(on) {
    this.movingShip = on;
    this.app.document.body.classList.toggle("moving-ship", on);
    this.shipButton.setAttribute("aria-pressed", String(on));
    if (on) this.app.announcer.say("click in the top view where the ship shall go");
  }

  /** @param {{north_m: number, east_m: number}} place */
  shipTo(place) {
    this.order({ name: "ship", north_m: place.north_m, east_m: place.east_m });
    this.moveShip(false);
  }

  nextCamera() {
    const cameras = this.app.link.hello?.source.vehicle.cameras ?? [];
    if (cameras.length < 2) return;
    const now = this.app.history.latest()?.get("camera_index") || 0;
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
