// Draws bright lines and panes in the water: ribbons a few pixels wide that face the camera, and filled polygons.
// They fade with less than half of the water's attenuation, so that a pilot can find them from far away.
import { BufferAttribute, BufferGeometry, Color, DoubleSide, Mesh } from "../../vendor/three.js";

/** @typedef {import("./water/water.js").Water} Water */
/** @typedef {[number, number, number]} Vector */

const VERTEX = `
attribute vec3 other;
attribute vec4 colour;
attribute float side;
uniform float uPixel;
uniform float uNear;
varying vec3 vPlace;
varying vec4 vColour;
void main() {
  vec3 here = (modelMatrix * vec4(position, 1.0)).xyz;
  vec3 there = (modelMatrix * vec4(other, 1.0)).xyz;
  float ahead = -(viewMatrix * vec4(here, 1.0)).z;
  float least = 0.6 * uNear;
  if (ahead < least) {
    // an end behind the camera has no width in pixels: the line begins before it
    float beyond = -(viewMatrix * vec4(there, 1.0)).z;
    if (beyond > least) here = mix(here, there, (least - ahead) / (beyond - ahead));
    if (side != 0.0) ahead = least;
  }
  // a vertex of a pane has no second end: the cross product is zero
  vec3 across = cross(there - here, here - uEye);
  float size = length(across);
  vec3 offset = size > 1e-9 ? across / size : vec3(0.0);
  // at the second end of a line the cross product is reversed, and with it the meaning of side
  vPlace = here + offset * sign(side) * uPixel * ahead;
  vColour = colour;
  gl_Position = projectionMatrix * viewMatrix * vec4(vPlace, 1.0);
}`;

const FRAGMENT = `
varying vec3 vPlace;
varying vec4 vColour;
uniform float uNear;
void main() {
  vec3 ray = vPlace - uEye;
  float range = length(ray);
  vec3 transmission = exp(-0.45 * uAttenuation * range);
  vec3 colour = vColour.rgb * 1.2 * transmission + veil(ray / range) * (1.0 - transmission);
  float alpha = vColour.a * max(transmission.g, transmission.b) * smoothstep(uNear, 1.7 * uNear, range);
  gl_FragColor = vec4(toScreen(colour, 1.0).rgb, alpha);
}`;

/** Collects lines and panes, and makes their geometry. */
export class Drawing {
  constructor() {
    /** @type {number[]} */
    this.places = [];
    /** @type {number[]} */
    this.others = [];
    /** @type {number[]} */
    this.colours = [];
    /** @type {number[]} */
    this.sides = [];
  }

  /**
   * A line, as two triangles.
   * @param {Vector} a
   * @param {Vector} b
   * @param {string} colour
   * @param {number} [alpha]
   */
  line(a, b, colour, alpha = 0.95) {
    for (const [p, q, side] of /** @type {[Vector, Vector, number][]} */ (
      [[a, b, 1], [a, b, -1], [b, a, 1], [a, b, 1], [b, a, 1], [b, a, -1]])) {
      this.vertex(p, q, side, colour, alpha);
    }
  }

  /**
   * Lines from point to point.
   * @param {Vector[]} points
   * @param {string} colour
   * @param {boolean} closed
   */
  path(points, colour, closed) {
    for (let i = 0; i + 1 < points.length; i += 1) this.line(points[i], points[i + 1], colour);
    if (closed && points.length > 2) this.line(points[points.length - 1], points[0], colour);
  }

  /**
   * A filled convex polygon.
   * @param {Vector[]} points
   * @param {string} colour
   * @param {number} alpha
   */
  pane(points, colour, alpha) {
    for (let i = 1; i + 1 < points.length; i += 1) {
      for (const p of [points[0], points[i], points[i + 1]]) this.vertex(p, p, 0, colour, alpha);
    }
  }

  /**
   * @param {Vector} place
   * @param {Vector} other second end of the line; the place itself for a pane
   * @param {number} side of the line, 1 or -1; 0 for a pane
   * @param {string} colour
   * @param {number} alpha
   */
  vertex(place, other, side, colour, alpha) {
    this.places.push(...place);
    this.others.push(...other);
    this.sides.push(side);
    this.colours.push(...rgb.set(colour).toArray(), alpha);
  }

  geometry() {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(this.places), 3));
    geometry.setAttribute("other", new BufferAttribute(new Float32Array(this.others), 3));
    geometry.setAttribute("colour", new BufferAttribute(new Float32Array(this.colours), 4));
    geometry.setAttribute("side", new BufferAttribute(new Float32Array(this.sides), 1));
    return geometry;
  }
}

/** The mesh of a drawing. */
export class Lines {
  /**
   * @param {Water} water
   * @param {number} width pixels
   * @param {number} near_m lines nearer than this are not drawn: they would hide the view ahead
   */
  constructor(water, width, near_m) {
    this.width = width;
    this.pixel = { value: 0.002 };
    this.mesh = new Mesh(new BufferGeometry(), water.material({
      vertex: VERTEX, fragment: FRAGMENT, uniforms: { uPixel: this.pixel, uNear: { value: near_m } },
      options: { transparent: true, depthWrite: false, side: DoubleSide },
    }));
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 70;
    this.mesh.visible = false;
  }

  /**
   * Show a drawing instead of the last one.
   * @param {Drawing} drawing
   */
  show(drawing) {
    this.mesh.geometry.dispose();
    this.mesh.geometry = drawing.geometry();
    this.mesh.visible = drawing.places.length > 0;
  }

  /** @param {number} pixel_m width of a pixel at a distance of 1 m */
  update(pixel_m) {
    this.pixel.value = (this.width / 2) * pixel_m;
  }
}

const rgb = new Color();
