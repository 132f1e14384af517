// Draws stones on the bottom around the camera. The place of a stone depends on its cell only, so it is the same on
// every visit. Stones are for the picture only: the simulation has none.
import {
  BufferAttribute, DynamicDrawUsage, IcosahedronGeometry, InstancedMesh, Matrix4, Quaternion, Vector3,
} from "../../../vendor/three.js";
import { distanceTo } from "./ground.js";
import { hashRandom } from "../water/noise.js";

/** @typedef {import("../water/water.js").Water} Water */
/** @typedef {import("./seabed.js").SeabedView} SeabedView */

const CELL_M = 1.1; // at most one stone in each

const VERTEX = `
varying vec3 vPlace;
varying vec3 vNormal;
varying float vTint;
void main() {
  vec4 place = instanceMatrix * vec4(position, 1.0);
  vPlace = place.xyz;
  vNormal = mat3(instanceMatrix) * normal;
  vTint = fract(instanceMatrix[3].x * 1.37 + instanceMatrix[3].y * 2.11);
  gl_Position = projectionMatrix * viewMatrix * place;
}`;

const FRAGMENT = `
varying vec3 vPlace;
varying vec3 vNormal;
varying float vTint;
uniform vec3 uSand;
void main() {
  vec3 normal = normalize(vNormal);
  vec4 fine = texture2D(uNoise, (vPlace.xy + vPlace.z) * 1.9);
  vec3 stone = mix(vec3(0.13, 0.12, 0.11), vec3(0.36, 0.31, 0.25), vTint) * (0.6 + 0.8 * fine.r);
  stone = mix(stone, vec3(0.42, 0.16, 0.2), 0.6 * smoothstep(0.68, 0.8, fine.g) * step(0.5, vTint));
  float silt = smoothstep(0.55, 1.0, -normal.z) * (0.4 + 0.6 * fine.g);
  vec3 colour = mix(stone, uSand, 0.55 * silt);
  normal = normalize(normal + 0.8 * (fine.rgr - 0.5));
  float foot = 0.55 + 0.45 * smoothstep(0.4, -0.5, normal.z);
  vec3 light = daylightOn(vPlace, normal) * foot + lampsOn(vPlace, normal, 0.05) * foot;
  light += fillOn(normal, normalize(vPlace - uEye));
  gl_FragColor = toScreen(throughWater(colour * light, vPlace), 1.0);
}`;

/** The instanced mesh of all stones. */
export class Stones {
  /**
   * @param {Water} water
   * @param {SeabedView} seabed
   */
  constructor(water, seabed) {
    this.water = water;
    this.seabed = seabed;
    this.capacity = water.quality === "low" ? 80 : 700;
    const geometry = roughStone(water.quality === "low" ? 1 : 2);
    const material = water.material({ vertex: VERTEX, fragment: FRAGMENT, uniforms: { uSand: seabed.sand } });
    this.mesh = new InstancedMesh(geometry, material, this.capacity);
    this.mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    this.mesh.frustumCulled = false;
    this.mesh.count = 0;
    this.cell = [NaN, NaN];
  }

  /** Place all stones anew at the next update, as after a change of the scene. */
  reset() {
    this.cell = [NaN, NaN];
  }

  /**
   * Place the stones around the camera whenever it enters another cell.
   * @param {Vector3} eye
   */
  update(eye) {
    const ground = this.seabed.ground;
    const altitude = ground.depthAt(eye.x, eye.y) - eye.z;
    this.mesh.visible = ground.known && !this.seabed.basin && altitude < this.water.visible_range_m;
    const [ci, cj] = [Math.round(eye.x / CELL_M), Math.round(eye.y / CELL_M)];
    if (!this.mesh.visible || (ci === this.cell[0] && cj === this.cell[1])) return;
    this.cell = [ci, cj];
    const reach = Math.ceil(Math.min(this.water.visible_range_m, this.water.quality === "low" ? 11 : 24) / CELL_M);
    let count = 0;
    for (let i = ci - reach; i <= ci + reach && count < this.capacity; i += 1) {
      for (let j = cj - reach; j <= cj + reach && count < this.capacity; j += 1) {
        // the density varies between blocks of 4 by 4 cells, so that stones lie in groups
        const density = 0.14 + 0.75 * hashRandom(i >> 2, j >> 2, 7) ** 3;
        if (hashRandom(i, j, 3) > density) continue;
        if (this.place(i, j, count)) count += 1;
      }
    }
    this.mesh.count = count;
    this.mesh.instanceMatrix.needsUpdate = true;
  }

  /**
   * Place the stone of a cell.
   * @param {number} i cell to the north
   * @param {number} j cell to the east
   * @param {number} slot of the instanced mesh
   * @returns {boolean} false if a structure stands there
   */
  place(i, j, slot) {
    const north = (i + hashRandom(i, j, 11)) * CELL_M;
    const east = (j + hashRandom(i, j, 12)) * CELL_M;
    const size = 0.03 + 0.22 * hashRandom(i, j, 13) ** 4;
    for (const footprint of this.seabed.footprints) {
      if (distanceTo(footprint, north, east) < size) return false;
    }
    turn.set(hashRandom(i, j, 14) - 0.5, hashRandom(i, j, 15) - 0.5, hashRandom(i, j, 16) * 2, 1).normalize();
    scale.set(size, size * (0.65 + 0.5 * hashRandom(i, j, 17)), size * (0.5 + 0.3 * hashRandom(i, j, 18)));
    place.set(north, east, this.seabed.ground.depthAt(north, east) - 0.2 * size);
    this.mesh.setMatrixAt(slot, matrix.compose(place, turn, scale));
    return true;
  }
}

/**
 * A dented icosphere.
 * @param {number} detail
 */
function roughStone(detail) {
  const geometry = new IcosahedronGeometry(1, detail);
  const places = /** @type {BufferAttribute} */ (geometry.getAttribute("position"));
  for (let k = 0; k < places.count; k += 1) {
    const [x, y, z] = [places.getX(k), places.getY(k), places.getZ(k)];
    const dent = 1 + 0.16 * Math.sin(3.1 * x + 1) * Math.sin(2.7 * y + 2) + 0.12 * Math.sin(5.3 * z + 4.1 * x);
    places.setXYZ(k, x * dent, y * dent, z * dent);
  }
  // normals between those of facets and those of a sphere
  geometry.computeVertexNormals();
  const normals = /** @type {BufferAttribute} */ (geometry.getAttribute("normal"));
  for (let k = 0; k < places.count; k += 1) {
    const smooth = place.fromBufferAttribute(places, k).normalize();
    smooth.add(scale.fromBufferAttribute(normals, k).multiplyScalar(0.5)).normalize();
    normals.setXYZ(k, smooth.x, smooth.y, smooth.z);
  }
  return geometry;
}

const matrix = new Matrix4();
const place = new Vector3();
const turn = new Quaternion();
const scale = new Vector3();
