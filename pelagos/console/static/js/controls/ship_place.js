// Moves a cursor in the top view with the arrow keys to choose a place for the ship: Enter confirms, Escape cancels.
// A click in the top view is handled by the view itself.

const STEP_PX = 8;
const LARGE_STEP_PX = 40; // with Shift

const DIRECTIONS = /** @type {Record<string, [x: number, y: number]>} */ ({
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
});

/** @typedef {{north: number, east: number}} Place */

/**
 * The part of the top view used here; the view draws the cursor while `placing` is true.
 * @typedef {object} Plan
 * @property {boolean} placing
 * @property {Place | null} cursor
 * @property {boolean} shown
 * @property {{clientWidth: number, clientHeight: number}} canvas
 * @property {{screen: (north: number, east: number) => number[], world: (x: number, y: number) => number[]} | null
 * } projection
 */

/** The choice of a place for the ship, while one is going on. */
export class ShipPlace {
  /**
   * @param {Plan} plan
   * @param {(place: {north_m: number, east_m: number}) => void} choose called with the confirmed place
   * @param {(on: boolean) => void} change called when a choice begins or ends
   */
  constructor(plan, choose, change) {
    this.plan = plan;
    this.choose = choose;
    this.change = change;
  }

  get on() {
    return this.plan.placing;
  }

  /**
   * Begin with the cursor at the ship, or at the vehicle if the ship is out of view.
   * @param {import("../types.js").Sample | null} sample
   */
  begin(sample) {
    this.plan.cursor = this.start(sample);
    this.plan.placing = true;
    this.change(true);
  }

  end() {
    if (!this.on) return;
    this.plan.placing = false;
    this.plan.cursor = null;
    this.change(false);
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
   * Handle a key; true if it was used.
   * @param {string} key code, with "Shift+" before it if Shift is held
   */
  handleKey(key) {
    if (!this.on) return false;
    const code = key.replace(/^Shift\+/, "");
    const direction = DIRECTIONS[code];
    if (direction) this.move(direction, key === code ? STEP_PX : LARGE_STEP_PX);
    else if (code === "Enter" && this.plan.cursor) this.confirm();
    else if (code === "Escape") this.end();
    else return false;
    return true;
  }

  /**
   * Move the cursor in screen directions, whichever way the view is turned, and keep it in the view.
   * @param {[x: number, y: number]} direction
   * @param {number} step px
   */
  move([right, down], step) {
    const { projection, cursor, canvas } = this.plan;
    if (!projection || !cursor) return;
    const [x, y] = projection.screen(cursor.north, cursor.east);
    const clamped = (/** @type {number} */ value, /** @type {number} */ most) => Math.min(most, Math.max(0, value));
    const [north, east] = projection.world(
      clamped(x + right * step, canvas.clientWidth), clamped(y + down * step, canvas.clientHeight),
    );
    this.plan.cursor = { north, east };
  }

  confirm() {
    const { cursor } = this.plan;
    if (cursor) this.choose({ north_m: cursor.north, east_m: cursor.east });
    this.end();
  }
}
