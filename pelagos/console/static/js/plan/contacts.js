// Draws contacts in the plan views: an outline to scale with a line ahead and a name; those out of view at the edge.
import { nameOf } from "../contacts.js";
import { CONTACT, TEXT, font } from "../palette.js";
import { path, plate } from "./draw.js";
import { enlargement } from "./outline.js";

/** @typedef {import("../contacts.js").PlacedContact} PlacedContact */
/** @typedef {import("./projection.js").Point} Point */
/** @typedef {import("./projection.js").Projection} Projection */
/** @typedef {CanvasRenderingContext2D} Pen */

const LEAST_PX = 14; // length of the smallest outline
const LINE_S = 30; // the line ahead is the distance covered in this time
const LEAST_LINE_PX = 16;
const MOST_LINE_PX = 90;
const EDGE_PX = 12;
const HALF_PLATE_PX = 10; // half the height of the plate behind a name
const MOST_AT_EDGE = 4; // of the contacts out of view, the nearest
const DEG = Math.PI / 180;

/**
 * The outline of a contact from above: points ahead and to starboard, m.
 * @param {{length_m: number, beam_m: number}} contact
 * @returns {Point[]}
 */
export function contactShape({ length_m, beam_m }) {
  const [half, side] = [length_m / 2, beam_m / 2];
  return [[half, 0], [0.55 * half, side], [-half, side], [-half, -side], [0.55 * half, -side]];
}

/**
 * The place on the edge of a view that marks a point out of view; the point itself if it is inside.
 * @param {Point} point px
 * @param {number} width
 * @param {number} height
 * @returns {{at: Point, inside: boolean}}
 */
export function edgePoint([x, y], width, height) {
  const inside = x >= 0 && x <= width && y >= 0 && y <= height;
  if (inside) return { at: [x, y], inside };
  // along the line from the middle, so that the edge mark shows the true direction
  const [dx, dy] = [x - width / 2, y - height / 2];
  const share = Math.min((width / 2 - EDGE_PX) / Math.max(1e-9, Math.abs(dx)),
    (height / 2 - EDGE_PX) / Math.max(1e-9, Math.abs(dy)));
  return { at: [width / 2 + share * dx, height / 2 + share * dy], inside };
}

/**
 * Draw contacts in the top view.
 * @param {Pen} pen
 * @param {Projection} projection
 * @param {PlacedContact[]} contacts
 * @param {number} width
 * @param {number} height
 */
export function drawContacts(pen, projection, contacts, width, height) {
  /** @type {{placed: PlacedContact, at: Point, range: number}[]} */
  const outside = [];
  const labels = new Labels(pen, width);
  for (const placed of contacts) {
    const [north, east] = placed.place;
    const { at, inside } = edgePoint(projection.screen(north, east), width, height);
    const range = Math.hypot(north - projection.north, east - projection.east);
    if (inside) drawContact(pen, projection, placed, at, labels);
    else outside.push({ placed, at, range });
  }
  outside.sort((a, b) => a.range - b.range);
  for (const { placed, at, range } of outside.slice(0, MOST_AT_EDGE)) {
    pen.globalAlpha = placed.strength;
    pen.fillStyle = CONTACT;
    pen.beginPath();
    pen.arc(at[0], at[1], 4, 0, 2 * Math.PI);
    pen.fill();
    labels.write(`${nameOf(placed.contact)} ${range.toFixed(0)} m`, at);
  }
  pen.globalAlpha = 1;
}

/**
 * @param {Pen} pen
 * @param {Projection} projection
 * @param {PlacedContact} placed
 * @param {Point} at
 * @param {Labels} labels
 */
function drawContact(pen, projection, placed, [x, y], labels) {
  const shape = contactShape(placed.contact);
  const scale = projection.scale * enlargement(shape, projection.scale, LEAST_PX);
  pen.globalAlpha = placed.strength;
  pen.strokeStyle = CONTACT;
  pen.lineWidth = 2;
  pen.save();
  pen.translate(x, y);
  pen.rotate(projection.screenAngle(placed.heading));
  path(pen, shape.map(([ahead, right]) => [right * scale, -ahead * scale]), true);
  pen.fillStyle = "rgb(0 158 115 / 45%)";
  pen.fill();
  pen.stroke();
  const bow = Math.max(...shape.map((point) => point[0])) * scale;
  const line = Math.min(MOST_LINE_PX, Math.max(LEAST_LINE_PX, LINE_S * placed.speed * projection.scale));
  path(pen, [[0, -bow], [0, -bow - line]]);
  pen.stroke();
  pen.restore();
  labels.write(nameOf(placed.contact), [x, y - Math.min(bow, 40) - 12]);
}

/** Writes names beside their contacts; a name that would cover another moves down. */
export class Labels {
  /**
   * @param {Pen} pen
   * @param {number} width of the view, px
   */
  constructor(pen, width) {
    this.pen = pen;
    this.width = width;
    /** @type {{left: number, right: number, y: number}[]} */
    this.boxes = [];
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
    const covered = () => this.boxes.find((other) =>
      box.left < other.right && box.right > other.left && Math.abs(box.y - other.y) < 2 * HALF_PLATE_PX);
    for (let other = covered(); other; other = covered()) box.y = other.y + 2 * HALF_PLATE_PX;
    this.boxes.push(box);
    this.pen.fillStyle = TEXT;
    plate(this.pen, text, left, box.y, "left");
  }
}

/**
 * A contact relative to the vehicle's heading: distances ahead and to starboard, and half its extent along the heading.
 * @param {PlacedContact} placed
 * @param {{north: number, east: number, heading: number}} vehicle
 * @returns {{ahead: number, aside: number, half: number}}
 */
export function relativeToVehicle({ contact, place, heading }, vehicle) {
  const [sine, cosine] = [Math.sin(vehicle.heading * DEG), Math.cos(vehicle.heading * DEG)];
  const [dn, de] = [place[0] - vehicle.north, place[1] - vehicle.east];
  const angle = (heading - vehicle.heading) * DEG;
  return {
    ahead: dn * cosine + de * sine,
    aside: -dn * sine + de * cosine,
    half: Math.abs((contact.length_m / 2) * Math.cos(angle)) + Math.abs((contact.beam_m / 2) * Math.sin(angle)),
  };
}

/**
 * Draw contacts in the side view at their distance along the vehicle's heading, fainter with the distance abeam.
 * @param {Pen} pen
 * @param {{x: (run: number) => number, y: (depth: number) => number, width: number, height: number}} axes
 * @param {PlacedContact[]} contacts
 * @param {{north: number, east: number, heading: number, run: number}} vehicle
 * @param {number} span m across the view
 */
export function drawContactsFromSide(pen, axes, contacts, vehicle, span) {
  const labels = new Labels(pen, axes.width);
  for (const placed of contacts) {
    const { ahead, aside, half } = relativeToVehicle(placed, vehicle);
    if (Math.abs(aside) > span) continue;
    const [x, y] = [axes.x(vehicle.run + ahead), axes.y(placed.place[2])];
    const wide = Math.max(5, Math.abs(axes.x(vehicle.run + half) - axes.x(vehicle.run)));
    const tall = Math.max(3, Math.abs(axes.y(placed.contact.height_m / 2) - axes.y(0)));
    if (x + wide < 0 || x - wide > axes.width || y < -tall || y > axes.height + tall) continue;
    pen.globalAlpha = placed.strength * Math.max(0.35, 1 - Math.abs(aside) / span);
    pen.beginPath();
    pen.ellipse(x, y, wide, tall, 0, 0, 2 * Math.PI);
    pen.fillStyle = "rgb(0 158 115 / 45%)";
    pen.fill();
    pen.strokeStyle = CONTACT;
    pen.lineWidth = 2;
    pen.stroke();
    labels.write(nameOf(placed.contact), [x, y - tall - 12]);
  }
  pen.globalAlpha = 1;
}
