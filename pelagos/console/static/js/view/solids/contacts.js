// Draws contacts as generic hulls of their length, beam and height, with their names. A contact carries no shape: a
// ship gets a deck and a house, everything else a body that tapers to both ends. Stale contacts are drawn with some
// pixels left out.
import { BufferAttribute, BufferGeometry, Color, Group, Mesh } from "../../../vendor/three.js";
import { nameOf } from "../../contacts.js";
import { CONTACT } from "../../palette.js";
import { PLACE_VERTEX } from "../water/glsl.js";
import { Labels } from "../labels.js";

/** @typedef {import("../../contacts.js").PlacedContact} PlacedContact */
/** @typedef {import("../water/water.js").Water} Water */
/** @typedef {[number, number, number]} Vector */

const STATIONS = 20;
const ROUND = 16; // corners of a section
const DECK = 0.1; // of a ship's height, above its middle
const AIR_RANGE_M = 400; // visible range above the surface
const PAINT = { ship: "#7a8a94", other: "#7d6420" };
const NAME_ABOVE = 0.6; // of the height

/**
 * Width of a body at a station as a share of its beam: rounded forward, tapered aft, zero at both ends.
 * @param {number} s from -1 at the stern to 1 at the bow
 */
export function fullness(s) {
  if (s > 0.3) return Math.sqrt(Math.max(0, 1 - ((s - 0.3) / 0.7) ** 2));
  return s < -0.2 ? Math.max(0, 1 - ((-0.2 - s) / 0.8) ** 2) : 1;
}

/**
 * Corners of a cross section of the hull, clockwise as seen from ahead: starboard, down, port, up.
 * @param {boolean} ship
 * @param {number} s from -1 at the stern to 1 at the bow
 * @param {{beam_m: number, height_m: number}} size
 * @returns {[number, number][]} to starboard, down
 */
function section(ship, s, { beam_m, height_m }) {
  const full = ship && s < 0.4 ? 1 - 0.15 * Math.max(0, -s) : fullness(ship ? Math.max(s, 0.3) : s);
  return Array.from({ length: ROUND }, (_, k) => {
    const angle = (2 * Math.PI * k) / ROUND;
    const [across, down] = [Math.cos(angle), Math.sin(angle)];
    if (!ship) return [0.5 * beam_m * full * across, 0.5 * height_m * full * down];
    // a ship has a flat deck: higher corners are moved down to it
    return [0.5 * beam_m * full * across, height_m * Math.max(0.5 * down * Math.max(full, 0.2), -DECK)];
  });
}

/**
 * The triangles of a hull in body axes, m, facing outward.
 * @param {{length_m: number, beam_m: number, height_m: number, kind: string}} contact
 */
export function contactGeometry(contact) {
  const ship = contact.kind === "ship";
  /** @type {number[]} */
  const places = [];
  /** @type {(a: Vector, b: Vector, c: Vector) => void} */
  const face = (a, b, c) => places.push(...a, ...b, ...c);
  const rows = Array.from({ length: STATIONS + 1 }, (_, i) => {
    // stations are closer at the ends, where the hull curves most
    const s = -Math.cos((Math.PI * i) / STATIONS);
    return section(ship, s, contact).map(([y, z]) => /** @type {Vector} */ ([0.5 * contact.length_m * s, y, z]));
  });
  for (let i = 0; i < STATIONS; i += 1) {
    for (let k = 0; k < ROUND; k += 1) {
      const next = (k + 1) % ROUND;
      face(rows[i][k], rows[i + 1][next], rows[i + 1][k]);
      face(rows[i][k], rows[i][next], rows[i + 1][next]);
    }
  }
  for (let k = 1; k + 1 < ROUND; k += 1) {
    face(rows[0][0], rows[0][k + 1], rows[0][k]);
    face(rows[STATIONS][0], rows[STATIONS][k], rows[STATIONS][k + 1]);
  }
  if (ship) {
    const { length_m: l, beam_m: b, height_m: h } = contact;
    house(face, [-0.15 * l, 0, -0.3 * h], [0.12 * l, 0.35 * b, 0.2 * h]);
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(places), 3));
  geometry.computeVertexNormals();
  return geometry;
}

/**
 * Add the deckhouse of a ship, a box.
 * @param {(a: Vector, b: Vector, c: Vector) => void} face
 * @param {Vector} centre
 * @param {Vector} half sides
 */
function house(face, centre, half) {
  for (let axis = 0; axis < 3; axis += 1) {
    const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
    for (const sign of [1, -1]) {
      const [a, b, c, d] = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([p, q]) => {
        const corner = /** @type {Vector} */ ([...centre]);
        corner[axis] += sign * half[axis];
        corner[u] += sign * p * half[u];
        corner[v] += q * half[v];
        return corner;
      });
      face(a, b, c);
      face(a, c, d);
    }
  }
}

const FRAGMENT = `
varying vec3 vPlace;
varying vec3 vNormal;
uniform vec3 uPaint;
uniform float uOpacity;
void main() {
  // ordered transparency: leave out pixels by a fixed noise of their place on the screen (Jimenez 2014)
  float grain = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
  if (grain > uOpacity) discard;
  vec3 normal = normalize(vNormal);
  vec3 ray = normalize(vPlace - uEye);
  vec3 light = daylightOn(vPlace, normal) + uAir * 0.5 * max(dot(normal, SUN), 0.0);
  light += lampsOn(vPlace, normal, 0.1) + fillOn(normal, ray);
  gl_FragColor = toScreen(throughWater(uPaint * light, vPlace), 1.0);
}`;

/** The hulls and labels of all contacts. */
export class ContactsView {
  /** @param {Water} water */
  constructor(water) {
    this.water = water;
    this.group = new Group();
    this.hulls = new Group();
    this.labels = new Labels();
    this.labelKey = ""; // changes with the contacts or names that have labels
    this.group.add(this.hulls, this.labels.group);
    /** @type {Map<string, {mesh: Mesh, form: string}>} */
    this.shown = new Map();
    // an invisible hull, so that the shader is compiled before the first contact appears
    const invisible = this.hull({ kind: "", length_m: 1, beam_m: 1, height_m: 1 });
    invisible.scale.setScalar(0);
    invisible.frustumCulled = false;
    this.group.add(invisible);
  }

  /**
   * The mesh of a hull.
   * @param {{length_m: number, beam_m: number, height_m: number, kind: string}} contact
   */
  hull(contact) {
    const paint = new Color(contact.kind === "ship" ? PAINT.ship : PAINT.other);
    return new Mesh(contactGeometry(contact), this.water.material({
      vertex: PLACE_VERTEX, fragment: FRAGMENT, uniforms: { uPaint: { value: paint }, uOpacity: { value: 1 } },
    }));
  }

  /**
   * Show the contacts within visible range.
   * @param {PlacedContact[]} contacts
   * @param {import("../../../vendor/three.js").PerspectiveCamera} camera placed
   * @param {number} pixel_m width of a pixel at a distance of 1 m
   */
  update(contacts, camera, pixel_m) {
    const { uEye: { value: eye }, uAir: { value: air } } = this.water.uniforms;
    const visible_range_m = air > 0.5 ? AIR_RANGE_M : this.water.visible_range_m;
    const near = contacts.filter(({ contact, place }) =>
      Math.hypot(place[0] - eye.x, place[1] - eye.y, place[2] - eye.z) - contact.length_m / 2 < visible_range_m);
    const keys = new Set(near.map(({ contact }) => contact.key));
    for (const key of [...this.shown.keys()]) if (!keys.has(key)) this.remove(key);
    for (const item of near) this.place(item);
    this.placeLabels(near);
    this.labels.update(camera, eye, Math.max(2.2 * this.water.visibility_m, air > 0.5 ? AIR_RANGE_M : 0), pixel_m);
  }

  /**
   * Place the hull of a contact, and build it if it is new or has changed.
   * @param {PlacedContact} item
   */
  place({ contact, place, strength }) {
    const form = `${contact.kind} ${contact.length_m} ${contact.beam_m} ${contact.height_m}`;
    if (this.shown.get(contact.key)?.form !== form) {
      this.remove(contact.key);
      const mesh = this.hull(contact);
      this.hulls.add(mesh);
      this.shown.set(contact.key, { mesh, form });
    }
    const mesh = /** @type {any} */ (this.shown.get(contact.key)?.mesh);
    const [q0, q1, q2, q3] = contact.quaternion;
    mesh.position.set(...place);
    mesh.quaternion.set(q1, q2, q3, q0); // three.js stores the scalar last
    mesh.material.uniforms.uOpacity.value = strength;
  }

  /**
   * Place the labels, and write them anew if contacts or names have changed.
   * @param {PlacedContact[]} near
   */
  placeLabels(near) {
    const labelKey = near.map(({ contact }) => `${contact.key} ${nameOf(contact)}`).join("|");
    if (labelKey !== this.labelKey) {
      this.labelKey = labelKey;
      this.labels.clear();
      for (const { contact, place } of near) this.labels.add(nameOf(contact), place, CONTACT);
    }
    const sprites = this.labels.group.children;
    near.forEach(({ contact, place }, at) => {
      sprites[at]?.position.set(place[0], place[1], place[2] - NAME_ABOVE * contact.height_m - 0.2);
    });
  }

  /**
   * Remove the hull of a contact and free its memory.
   * @param {string} key
   */
  remove(key) {
    const entry = this.shown.get(key);
    if (!entry) return;
    this.shown.delete(key);
    this.hulls.remove(entry.mesh);
    entry.mesh.geometry.dispose();
    /** @type {any} */ (entry.mesh.material).dispose();
  }
}
