// Projects the world to the screen of the top view, in the two forms of Royer (1985, 6.2):
//   heading up: the vehicle keeps its place and direction, the world moves and turns;
//   north up:   the vehicle turns, the world moves without turning.
// Screen x is to the right, y down, in px; world north and east in m.

/** @typedef {"heading-up" | "north-up"} Form */
/** @typedef {[number, number]} Point */

const DEG = Math.PI / 180;

const STEPS = [1, 2, 5];

/** The projection of one picture. */
export class Projection {
  /**
   * @param {object} of
   * @param {Form} of.form
   * @param {number} of.north of the vehicle, m
   * @param {number} of.east
   * @param {number} of.heading deg
   * @param {number} of.scale px per m
   * @param {number} of.x of the vehicle on the screen, px
   * @param {number} of.y
   */
  constructor({ form, north, east, heading, scale, x, y }) {
    this.form = form;
    this.north = north;
    this.east = east;
    this.heading = heading;
    this.scale = scale;
    this.x = x;
    this.y = y;
    /** The compass direction that points to the top of the screen, deg. */
    this.up = form === "heading-up" ? heading : 0;
    this.sine = Math.sin(this.up * DEG);
    this.cosine = Math.cos(this.up * DEG);
  }

  /**
   * Project a point of the world: ahead = dn cos(up) + de sin(up), right = -dn sin(up) + de cos(up).
   * @param {number} north
   * @param {number} east
   * @returns {Point}
   */
  screen(north, east) {
    const dn = north - this.north;
    const de = east - this.east;
    const ahead = dn * this.cosine + de * this.sine;
    const right = -dn * this.sine + de * this.cosine;
    return [this.x + this.scale * right, this.y - this.scale * ahead];
  }

  /**
   * The point of the world at a point of the screen.
   * @param {number} x
   * @param {number} y
   * @returns {Point} north, east
   */
  world(x, y) {
    const right = (x - this.x) / this.scale;
    const ahead = (this.y - y) / this.scale;
    return [
      this.north + ahead * this.cosine - right * this.sine,
      this.east + ahead * this.sine + right * this.cosine,
    ];
  }

  /**
   * The angle of a compass direction on the screen: rad, clockwise from the top.
   * @param {number} degrees
   */
  screenAngle(degrees) {
    return (degrees - this.up) * DEG;
  }

  /**
   * The visible part of the world: least and greatest north and east.
   * @param {number} width px
   * @param {number} height
   */
  visibleRange(width, height) {
    const corners = [this.world(0, 0), this.world(width, 0), this.world(0, height), this.world(width, height)];
    const norths = corners.map((corner) => corner[0]);
    const easts = corners.map((corner) => corner[1]);
    return {
      north: /** @type {Point} */ ([Math.min(...norths), Math.max(...norths)]),
      east: /** @type {Point} */ ([Math.min(...easts), Math.max(...easts)]),
    };
  }
}

/**
 * The least round number, 1, 2 or 5 times a power of ten, that is not below `least`.
 * @param {number} least above 0
 */
export function roundStep(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  for (const step of STEPS) {
    if (step * power >= least * (1 - 1e-9)) return step * power;
  }
  return 10 * power;
}

/**
 * The multiples of a step within a range.
 * @param {number} from
 * @param {number} to
 * @param {number} step
 * @returns {number[]}
 */
export function multiples(from, to, step) {
  const out = [];
  for (let index = Math.ceil(from / step - 1e-9); index * step <= to + 1e-9 * step; index += 1) out.push(index * step);
  return out;
}

/**
 * A length as text, without trailing zeros.
 * @param {number} metres
 */
export function metres(metres) {
  return `${Number(metres.toPrecision(6))} m`;
}
