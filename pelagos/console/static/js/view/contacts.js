// Contacts in the picture: hulls of their length, beam and height, with their names. What they really look like nobody
// has said: a ship has a deck and a house, everything else is a body that tapers to both ends. Old news is drawn as
// through a screen door.
import { BufferAttribute, BufferGeometry, Color, Group, Mesh } from "../../vendor/three.js";
import { nameOf } from "../contacts.js";
import { CONTACT } from "../palette.js";
import { PLACE_VERTEX } from "./glsl.js";
import { Labels } from "./labels.js";

/** @typedef {import("../contacts.js").PlacedContact} Seen */
/** @typedef {import("./water.js").Water} Water */
/** @typedef {[number, number, number]} Vector */

const STATIONS = 20;
const ROUND = 16;
const DECK = 0.1; // of a ship's height, above its middle
const AIR_SIGHT_M = 400;
const PAINT = { ship: "#7a8a94", other: "#7d6420" };
const NAME_ABOVE = 0.6; // of its height

/**
 * How full a body is along itself: round ahead, drawn out aft, nothing at the ends.
 * @param {number} s from -1 at the stern to 1 at the bow
 */
export function fullness(s) {
  if (s > 0.3) return Math.sqrt(Math.max(0, 1 - ((s - 0.3) / 0.7) ** 2));
  return s < -0.2 ? Math.max(0, 1 - ((-0.2 - s) / 0.8) ** 2) : 1;
}

/**
 * Corners of a hull across at one place, clockwise as seen from ahead: starboard, down, port, up.
 * @param {boolean} ship
 * @param {number} s
 * @param {{beam_m: number, height_m: number}} size
 * @returns {[number, number][]} to starboard, down
 */
function section(ship, s, { beam_m, height_m }) {
  const full = ship && s < 0.4 ? 1 - 0.15 * Math.max(0, -s) : fullness(ship ? Math.max(s, 0.3) : s);
  return Array.from({ length: ROUND }, (_, k) => {
    const angle = (2 * Math.PI * k) / ROUND;
    const [across, down] = [Math.cos(angle), Math.sin(angle)];
    if (!ship) return [0.5 * beam_m * full * across, 0.5 * height_m * full * down];
    // a ship has a flat deck: what would be above it lies in it
    return [0.5 * beam_m * full * across, height_m * Math.max(0.5 * down * Math.max(full, 0.2), -DECK)];
  });
}

/**
 * Triangles of a hull in body axes, m, facing outward.
 * @param {{length_m: number, beam_m: number, height_m: number, kind: string}} contact
 */
export function contactGeometry(contact) {
  const ship = contact.kind === "ship";
  /** @type {number[]} */
  const places = [];
  /** @type {(a: Vector, b: Vector, c: Vector) => void} */
  const face = (a, b, c) => places.push(...a, ...b, ...c);
  const rows = Array.from({ length: STATIONS + 1 }, (_, i) => {
    // stations stand closer at the ends, where a body curves
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
 * @param {(a: Vector, b: Vector, c: Vector) => void} face
 * @param {Vector} middle
 * @param {Vector} half
 */
function house(face, middle, half) {
  for (let axis = 0; axis < 3; axis += 1) {
    const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
    for (const sign of [1, -1]) {
      const [a, b, c, d] = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([p, q]) => {
        const corner = /** @type {Vector} */ ([...middle]);
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
uniform float uFresh;
void main() {
  float grain = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
  if (grain > uFresh) discard;
  vec3 normal = normalize(vNormal);
  vec3 look = normalize(vPlace - uEye);
  vec3 light = daylightOn(vPlace, normal) + uAir * 0.5 * max(dot(normal, SUN), 0.0);
  light += lampsOn(vPlace, normal, 0.1) + fillOn(normal, look);
  gl_FragColor = shown(throughWater(uPaint * light, vPlace), 1.0);
}`;

export class ContactsView {
  /** @param {Water} water */
  constructor(water) {
    this.water = water;
    this.group = new Group();
    this.hulls = new Group();
    this.labels = new Labels();
    this.labelled = "";
    this.group.add(this.hulls, this.labels.group);
    /** @type {Map<string, {mesh: Mesh, form: string}>} */
    this.shown = new Map();
    // one that is never seen, so that the shader is there before the first contact is
    const sample = this.hull({ kind: "", length_m: 1, beam_m: 1, height_m: 1 });
    sample.scale.setScalar(0);
    sample.frustumCulled = false;
    this.group.add(sample);
  }

  /** @param {{length_m: number, beam_m: number, height_m: number, kind: string}} contact */
  hull(contact) {
    const paint = new Color(contact.kind === "ship" ? PAINT.ship : PAINT.other);
    return new Mesh(contactGeometry(contact), this.water.material({
      vertex: PLACE_VERTEX, fragment: FRAGMENT, uniforms: { uPaint: { value: paint }, uFresh: { value: 1 } },
    }));
  }

  /**
   * @param {Seen[]} seen
   * @param {import("../../vendor/three.js").PerspectiveCamera} camera placed
   * @param {number} pixel_m width of a pixel at a distance of 1 m
   */
  update(seen, camera, pixel_m) {
    const { uEye: { value: eye }, uAir: { value: air } } = this.water.uniforms;
    const sight = air > 0.5 ? AIR_SIGHT_M : this.water.sight_m;
    const near = seen.filter(({ contact, place }) =>
      Math.hypot(place[0] - eye.x, place[1] - eye.y, place[2] - eye.z) - contact.length_m / 2 < sight);
    const keys = new Set(near.map(({ contact }) => contact.key));
    for (const key of [...this.shown.keys()]) if (!keys.has(key)) this.forget(key);
    for (const one of near) this.place(one);
    this.name(near);
    this.labels.update(camera, eye, Math.max(2.2 * this.water.visibility_m, air > 0.5 ? AIR_SIGHT_M : 0), pixel_m);
  }

  /** @param {Seen} one */
  place({ contact, place, strength }) {
    const form = `${contact.kind} ${contact.length_m} ${contact.beam_m} ${contact.height_m}`;
    if (this.shown.get(contact.key)?.form !== form) {
      this.forget(contact.key);
      const mesh = this.hull(contact);
      this.hulls.add(mesh);
      this.shown.set(contact.key, { mesh, form });
    }
    const mesh = /** @type {any} */ (this.shown.get(contact.key)?.mesh);
    const [q0, q1, q2, q3] = contact.quaternion;
    mesh.position.set(...place);
    mesh.quaternion.set(q1, q2, q3, q0); // three keeps the scalar last
    mesh.material.uniforms.uFresh.value = strength;
  }

  /** @param {Seen[]} near */
  name(near) {
    const said = near.map(({ contact }) => `${contact.key} ${nameOf(contact)}`).join("|");
    if (said !== this.labelled) {
      this.labelled = said;
      this.labels.clear();
      for (const { contact, place } of near) this.labels.add(nameOf(contact), place, CONTACT);
    }
    const sprites = this.labels.group.children;
    near.forEach(({ contact, place }, at) => {
      sprites[at]?.position.set(place[0], place[1], place[2] - NAME_ABOVE * contact.height_m - 0.2);
    });
  }

  /** @param {string} key */
  forget(key) {
    const gone = this.shown.get(key);
    if (!gone) return;
    this.shown.delete(key);
    this.hulls.remove(gone.mesh);
    gone.mesh.geometry.dispose();
    /** @type {any} */ (gone.mesh.material).dispose();
  }
}
