// Contacts in the plan views: an outline of their size with a line ahead and a name; those outside at the edge.
import { nameOf } from "../contacts.js";
import { CONTACT, TEXT, font } from "../palette.js";
import { path, plate } from "./draw.js";
import { enlarged } from "./outline.js";

/** @typedef {import("../contacts.js").PlacedContact} Seen */
/** @typedef {import("./projection.js").Point} Point */
/** @typedef {import("./projection.js").Projection} Projection */
/** @typedef {CanvasRenderingContext2D} Pen */

const LEAST_PX = 14; // however small it is
const LINE_S = 30; // the line ahead is the way of so long
const LEAST_LINE_PX = 16;
const MOST_LINE_PX = 90;
const EDGE_PX = 12;
const HALF_PLATE_PX = 10; // of the ground a name is written on
const MOST_AT_EDGE = 4; // the nearest
const DEG = Math.PI / 180;

/**
 * A hull from above, ahead and to starboard, m.
 * @param {{length_m: number, beam_m: number}} contact
 * @returns {Point[]}
 */
export function contactShape({ length_m, beam_m }) {
  const [half, side] = [length_m / 2, beam_m / 2];
  return [[half, 0], [0.55 * half, side], [-half, side], [-half, -side], [0.55 * half, -side]];
}

/**
 * Where a point outside of a view is pointed at from its edge; the point itself if it is inside.
 * @param {Point} point px
 * @param {number} width
 * @param {number} height
 * @returns {{at: Point, inside: boolean}}
 */
export function atEdge([x, y], width, height) {
  const inside = x >= 0 && x <= width && y >= 0 && y <= height;
  if (inside) return { at: [x, y], inside };
  // along the line from the middle, so that the edge mark shows the true direction
  const [dx, dy] = [x - width / 2, y - height / 2];
  const share = Math.min((width / 2 - EDGE_PX) / Math.max(1e-9, Math.abs(dx)),
    (height / 2 - EDGE_PX) / Math.max(1e-9, Math.abs(dy)));
  return { at: [width / 2 + share * dx, height / 2 + share * dy], inside };
}

/**
 * @param {Pen} pen
 * @param {Projection} projection
 * @param {Seen[]} seen
 * @param {number} width
 * @param {number} height
 */
export function drawContacts(pen, projection, seen, width, height) {
  /** @type {{one: Seen, at: Point, away: number}[]} */
  const outside = [];
  const names = new Names(pen, width);
  for (const one of seen) {
    const [north, east] = one.place;
    const { at, inside } = atEdge(projection.screen(north, east), width, height);
    if (!inside) outside.push({ one, at, away: Math.hypot(north - projection.north, east - projection.east) });
    else drawOne(pen, projection, one, at, names);
  }
  outside.sort((a, b) => a.away - b.away);
  for (const { one, at, away } of outside.slice(0, MOST_AT_EDGE)) {
    pen.globalAlpha = one.strength;
    pen.fillStyle = CONTACT;
    pen.beginPath();
    pen.arc(at[0], at[1], 4, 0, 2 * Math.PI);
    pen.fill();
    names.write(`${nameOf(one.contact)} ${away.toFixed(0)} m`, at);
  }
  pen.globalAlpha = 1;
}

/**
 * @param {Pen} pen
 * @param {Projection} projection
 * @param {Seen} one
 * @param {Point} at
 * @param {Names} names
 */
function drawOne(pen, projection, one, [x, y], names) {
  const shape = contactShape(one.contact);
  const scale = projection.scale * enlarged(shape, projection.scale, LEAST_PX);
  pen.globalAlpha = one.strength;
  pen.strokeStyle = CONTACT;
  pen.lineWidth = 2;
  pen.save();
  pen.translate(x, y);
  pen.rotate(projection.turn(one.heading));
  path(pen, shape.map(([ahead, right]) => [right * scale, -ahead * scale]), true);
  pen.fillStyle = "rgb(0 158 115 / 45%)";
  pen.fill();
  pen.stroke();
  const bow = Math.max(...shape.map((point) => point[0])) * scale;
  const line = Math.min(MOST_LINE_PX, Math.max(LEAST_LINE_PX, LINE_S * one.speed * projection.scale));
  path(pen, [[0, -bow], [0, -bow - line]]);
  pen.stroke();
  pen.restore();
  names.write(nameOf(one.contact), [x, y - Math.min(bow, 40) - 12]);
}

/** Names beside what they name, none over another: one that would be goes further down. */
export class Names {
  /**
   * @param {Pen} pen
   * @param {number} width of the view, px
   */
  constructor(pen, width) {
    this.pen = pen;
    this.width = width;
    /** @type {{left: number, right: number, y: number}[]} */
    this.taken = [];
    pen.font = font(12);
  }

  /**
   * @param {string} text
   * @param {Point} at
   */
  write(text, [x, y]) {
    const wide = this.pen.measureText(text).width;
    const onRight = x < this.width - wide - 26;
    const left = onRight ? x + 10 : x - 10 - wide;
    const box = { left: left - 5, right: left + wide + 5, y: Math.max(HALF_PLATE_PX + 2, y) };
    const over = () => this.taken.find((other) =>
      box.left < other.right && box.right > other.left && Math.abs(box.y - other.y) < 2 * HALF_PLATE_PX);
    for (let other = over(); other; other = over()) box.y = other.y + 2 * HALF_PLATE_PX;
    this.taken.push(box);
    this.pen.fillStyle = TEXT;
    plate(this.pen, text, left, box.y, "left");
  }
}

/**
 * A contact beside the vehicle's track: how far ahead of the vehicle, how far aside, and half its length as it lies.
 * @param {Seen} one
 * @param {{north: number, east: number, heading: number}} vehicle
 * @returns {{ahead: number, aside: number, half: number}}
 */
export function besideTrack({ contact, place, heading }, vehicle) {
  const [sine, cosine] = [Math.sin(vehicle.heading * DEG), Math.cos(vehicle.heading * DEG)];
  const [dn, de] = [place[0] - vehicle.north, place[1] - vehicle.east];
  const turned = (heading - vehicle.heading) * DEG;
  return {
    ahead: dn * cosine + de * sine,
    aside: -dn * sine + de * cosine,
    half: Math.abs((contact.length_m / 2) * Math.cos(turned)) + Math.abs((contact.beam_m / 2) * Math.sin(turned)),
  };
}

/**
 * Contacts in the side view, where they lie along the vehicle's heading; fainter the farther aside.
 * @param {Pen} pen
 * @param {{x: (run: number) => number, y: (depth: number) => number, width: number, height: number}} axes
 * @param {Seen[]} seen
 * @param {{north: number, east: number, heading: number, run: number}} vehicle
 * @param {number} span m across the view
 */
export function drawContactsAside(pen, axes, seen, vehicle, span) {
  const names = new Names(pen, axes.width);
  for (const one of seen) {
    const { ahead, aside, half } = besideTrack(one, vehicle);
    if (Math.abs(aside) > span) continue;
    const [x, y] = [axes.x(vehicle.run + ahead), axes.y(one.place[2])];
    const wide = Math.max(5, Math.abs(axes.x(vehicle.run + half) - axes.x(vehicle.run)));
    const tall = Math.max(3, Math.abs(axes.y(one.contact.height_m / 2) - axes.y(0)));
    if (x + wide < 0 || x - wide > axes.width || y < -tall || y > axes.height + tall) continue;
    pen.globalAlpha = one.strength * Math.max(0.35, 1 - Math.abs(aside) / span);
    pen.beginPath();
    pen.ellipse(x, y, wide, tall, 0, 0, 2 * Math.PI);
    pen.fillStyle = "rgb(0 158 115 / 45%)";
    pen.fill();
    pen.strokeStyle = CONTACT;
    pen.lineWidth = 2;
    pen.stroke();
    names.write(nameOf(one.contact), [x, y - tall - 12]);
  }
  pen.globalAlpha = 1;
}
