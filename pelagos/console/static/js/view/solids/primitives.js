// Builds triangles of boxes, cylinders, spheres, planes and meshes in one set of buffers, and so in one draw call.
// A vertex carries its place, normal, colour with growth, and `face`: its coordinates on its face in m (along the
// longest side, across) and the half lengths of that face, from which the shader draws edges and seams.
import { BufferAttribute, BufferGeometry } from "../../../vendor/three.js";
import { float32s, uint32s } from "./decode.js";

/** @typedef {[number, number, number]} Vector */
/** @typedef {(point: Vector) => Vector} Transform */

const ENDLESS = 1e4; // half length of a face without an edge; the shader tests for more than 5000
const ROUND = 32; // corners of a circle

/** Collects solids, each placed, turned and coloured by `placeAt`. */
export class SolidsBuilder {
  constructor() {
    /** @type {number[]} */
    this.places = [];
    /** @type {number[]} */
    this.normals = [];
    /** @type {number[]} */
    this.colours = [];
    /** @type {number[]} */
    this.faces = [];
    /** @type {Vector} */
    this.colour = [0.5, 0.5, 0.5];
    this.growth = 1;
    /** @type {Transform} */
    this.toWorld = (point) => point;
    /** @type {Transform} */
    this.rotate = (direction) => direction;
  }

  /**
   * Set place, attitude and paint of the solids that follow.
   * @param {Vector | number[]} centre
   * @param {number[]} axes solid to world, nine numbers row by row
   * @param {Vector} colour linear
   * @param {number} [growth] marine growth, 0..1
   */
  placeAt(centre, axes, colour, growth = 1) {
    this.colour = colour;
    this.growth = growth;
    this.rotate = ([x, y, z]) => [
      axes[0] * x + axes[1] * y + axes[2] * z,
      axes[3] * x + axes[4] * y + axes[5] * z,
      axes[6] * x + axes[7] * y + axes[8] * z,
    ];
    this.toWorld = (point) => {
      const [x, y, z] = this.rotate(point);
      return [x + centre[0], y + centre[1], z + centre[2]];
    };
  }

  /**
   * Add a vertex, in axes of the solid.
   * @param {Vector} point
   * @param {Vector} normal
   * @param {number[]} face
   */
  vertex(point, normal, face) {
    this.places.push(...this.toWorld(point));
    this.normals.push(...this.rotate(normal));
    this.colours.push(...this.colour, this.growth);
    this.faces.push(face[0], face[1], face[2], face[3]);
  }

  /**
   * A quadrilateral: corners counter-clockwise as seen from outside.
   * @param {Vector[]} corners
   * @param {Vector[]} normals
   * @param {number[][]} faces
   */
  quad(corners, normals, faces) {
    for (const i of [0, 1, 2, 0, 2, 3]) this.vertex(corners[i], normals[i], faces[i]);
  }

  /**
   * A box.
   * @param {Vector} half lengths
   */
  box(half) {
    for (let axis = 0; axis < 3; axis += 1) {
      let [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
      for (const sign of [-1, 1]) {
        const normal = /** @type {Vector} */ ([0, 0, 0]);
        normal[axis] = sign;
        const corners = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([a, b]) => {
          const corner = /** @type {Vector} */ ([0, 0, 0]);
          corner[axis] = sign * half[axis];
          corner[u] = a * half[u] * sign;
          corner[v] = b * half[v];
          return corner;
        });
        const [long, cross] = half[u] >= half[v] ? [u, v] : [v, u];
        this.quad(corners, [normal, normal, normal, normal],
          corners.map((corner) => [corner[long], corner[cross], half[long], half[cross]]));
      }
    }
  }

  /**
   * A cylinder or a truncated cone along its x axis, with both ends.
   * @param {number} half length
   * @param {number} radius
   * @param {number} [end] radius at the forward end, of a cone
   */
  cylinder(half, radius, end = radius) {
    const slope = (radius - end) / (2 * half);
    for (let i = 0; i < ROUND; i += 1) {
      const [a, b] = [i, i + 1].map((k) => (2 * Math.PI * k) / ROUND);
      const [ca, sa, cb, sb] = [Math.cos(a), Math.sin(a), Math.cos(b), Math.sin(b)];
      const [arcA, arcB] = [a * radius, b * radius];
      this.quad(
        [[-half, radius * ca, radius * sa], [-half, radius * cb, radius * sb], [half, end * cb, end * sb],
          [half, end * ca, end * sa]],
        [[slope, ca, sa], [slope, cb, sb], [slope, cb, sb], [slope, ca, sa]],
        [[-half, arcA, half, ENDLESS], [-half, arcB, half, ENDLESS], [half, arcB, half, ENDLESS],
          [half, arcA, half, ENDLESS]],
      );
      const centre = [0, 0, ENDLESS, ENDLESS];
      this.vertex([half, 0, 0], [1, 0, 0], centre);
      this.vertex([half, end * ca, end * sa], [1, 0, 0], [end * ca, end * sa, ENDLESS, ENDLESS]);
      this.vertex([half, end * cb, end * sb], [1, 0, 0], [end * cb, end * sb, ENDLESS, ENDLESS]);
      this.vertex([-half, 0, 0], [-1, 0, 0], centre);
      this.vertex([-half, radius * cb, radius * sb], [-1, 0, 0], [radius * cb, radius * sb, ENDLESS, ENDLESS]);
      this.vertex([-half, radius * ca, radius * sa], [-1, 0, 0], [radius * ca, radius * sa, ENDLESS, ENDLESS]);
    }
  }

  /**
   * A sphere.
   * @param {number} radius
   */
  sphere(radius) {
    const rings = ROUND / 2;
    /** @type {(i: number, j: number) => Vector} */
    const direction = (i, j) => {
      const [polar, round] = [(Math.PI * i) / rings, (2 * Math.PI * j) / ROUND];
      return [Math.cos(polar), Math.sin(polar) * Math.cos(round), Math.sin(polar) * Math.sin(round)];
    };
    for (let i = 0; i < rings; i += 1) {
      for (let j = 0; j < ROUND; j += 1) {
        const directions = [direction(i, j), direction(i + 1, j), direction(i + 1, j + 1), direction(i, j + 1)];
        const corners = directions.map(([x, y, z]) => /** @type {Vector} */ ([radius * x, radius * y, radius * z]));
        this.quad(corners, directions, corners.map((p) => [p[0], Math.atan2(p[2], p[1]) * radius, ENDLESS, ENDLESS]));
      }
    }
  }

  /**
   * A square in the plane z = 0, its front towards -z.
   * @param {number} extent_m
   */
  plane(extent_m) {
    const half = extent_m / 2;
    /** @type {Vector[]} */
    const corners = [[-half, -half, 0], [-half, half, 0], [half, half, 0], [half, -half, 0]];
    const normal = /** @type {Vector} */ ([0, 0, -1]);
    this.quad(corners, [normal, normal, normal, normal], corners.map(([x, y]) => [x, y, ENDLESS, ENDLESS]));
  }

  /**
   * A triangle mesh, shaded flat.
   * @param {import("../../types.js").Mesh} mesh
   */
  mesh(mesh) {
    const points = float32s(mesh.positions);
    const corners = uint32s(mesh.indices);
    for (let i = 0; i + 2 < corners.length; i += 3) {
      const [a, b, c] = [0, 1, 2].map((k) => {
        const at = 3 * corners[i + k];
        return /** @type {Vector} */ ([points[at], points[at + 1], points[at + 2]]);
      });
      const normal = unitNormal(a, b, c);
      // face coordinates are the two axes along which the facet extends most
      const most = [0, 1, 2].reduce((best, k) => (Math.abs(normal[k]) > Math.abs(normal[best]) ? k : best), 0);
      const [u, v] = most === 0 ? [1, 2] : most === 1 ? [0, 2] : [0, 1];
      for (const point of [a, b, c]) this.vertex(point, normal, [point[u], point[v], ENDLESS, ENDLESS]);
    }
  }

  geometry() {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(this.places), 3));
    geometry.setAttribute("normal", new BufferAttribute(new Float32Array(this.normals), 3));
    geometry.setAttribute("colour", new BufferAttribute(new Float32Array(this.colours), 4));
    geometry.setAttribute("face", new BufferAttribute(new Float32Array(this.faces), 4));
    return geometry;
  }
}

/**
 * The unit normal of a triangle, or zero if the triangle has no area.
 * @param {Vector} a
 * @param {Vector} b
 * @param {Vector} c
 * @returns {Vector}
 */
function unitNormal(a, b, c) {
  const [x1, y1, z1] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  const [x2, y2, z2] = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
  const [x, y, z] = [y1 * z2 - z1 * y2, z1 * x2 - x1 * z2, x1 * y2 - y1 * x2];
  const size = Math.hypot(x, y, z) || 1;
  return [x / size, y / size, z / size];
}
