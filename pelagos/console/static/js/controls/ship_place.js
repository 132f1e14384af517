// Choosing a place for the ship in the top view: by a click, or with the arrow keys and Enter. Escape leaves it.

const STEP_PX = 8;
const LEAP_PX = 40; // with Shift

const WAYS = /** @type {Record<string, [x: number, y: number]>} */ ({
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
});

/** @typedef {{north: number, east: number}} Place */

/**
 * What is needed of a top view: it draws the cursor while `placing`.
 * @typedef {object} Plan
 * @property {boolean} placing
 * @property {Place | null} cursor
 * @property {boolean} shown
 * @property {{clientWidth: number, clientHeight: number}} canvas
 * @property {{screen: (north: number, east: number) => number[], world: (x: number, y: number) => number[]} | null
 * } projection
 */

export class ShipPlace {
  /**
   * @param {Plan} plan
   * @param {(place: {north_m: number, east_m: number}) => void} chosen
   * @param {(on: boolean) => void} changed
   */
  constructor(plan, chosen, changed) {
    this.plan = plan;
    this.chosen = chosen;
    this.changed = changed;
  }

  get on() {
    return this.plan.placing;
  }

  /**
   * The cursor begins at the ship, or at the vehicle if the ship is out of view.
   * @param {import("../types.js").Sample | null} sample
   */
  begin(sample) {
    this.plan.cursor = this.start(sample);
    this.plan.placing = true;
    this.changed(true);
  }

  end() {
    if (!this.on) return;
    this.plan.placing = false;
    this.plan.cursor = null;
    this.changed(false);
  }

  /**
   * @param {import("../types.js").Sample | null} sample
   * @returns {Place | null}
   */
  start(sample) {
    if (!sample) return null;
    const ship = { north: sample.get("ship_north_m"), east: sample.get("ship_east_m") };
    return this.inView(ship) ? ship : { north: sample.get("north_m"), east: sample.get("east_m") };
  }

  /** @param {Place} place */
  inView({ north, east }) {
    const { projection, canvas } = this.plan;
    if (!projection || !Number.isFinite(north + east)) return false;
    const [x, y] = projection.screen(north, east);
    return x >= 0 && y >= 0 && x <= canvas.clientWidth && y <= canvas.clientHeight;
  }

  /**
   * A key, as the keyboard names it; whether it was meant for this.
   * @param {string} key
   */
  key(key) {
    if (!this.on) return false;
    const code = key.replace(/^Shift\+/, "");
    const way = WAYS[code];
    if (way) this.move(way, key === code ? STEP_PX : LEAP_PX);
    else if (code === "Enter" && this.plan.cursor) this.pick();
    else if (code === "Escape") this.end();
    else return false;
    return true;
  }

  /**
   * Over the screen, not over the world: up is up also where the view is turned.
   * @param {[x: number, y: number]} way
   * @param {number} step px
   */
  move([right, down], step) {
    const { projection, cursor, canvas } = this.plan;
    if (!projection || !cursor) return;
    const [x, y] = projection.screen(cursor.north, cursor.east);
    const inside = (/** @type {number} */ at, /** @type {number} */ most) => Math.min(most, Math.max(0, at));
    const [north, east] = projection.world(
      inside(x + right * step, canvas.clientWidth), inside(y + down * step, canvas.clientHeight),
    );
    this.plan.cursor = { north, east };
  }

  pick() {
    const { cursor } = this.plan;
    if (cursor) this.chosen({ north_m: cursor.north, east_m: cursor.east });
    this.end();
  }
}
