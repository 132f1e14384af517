// Draws all structures as one mesh: paint or steel under marine growth, worn edges, seams every few metres, and silt on
// upward faces. The texture lets a pilot judge distance, speed and attitude.
import { BufferGeometry, Color, Mesh } from "../../../vendor/three.js";
import { SolidsBuilder } from "./primitives.js";

/** @typedef {import("../../types.js").Structure} Structure */
/** @typedef {import("../../types.js").SceneHello} SceneHello */
/** @typedef {import("../water/water.js").Water} Water */

const STEEL = /** @type {[number, number, number]} */ ([0.3, 0.29, 0.27]);
const WALL = /** @type {[number, number, number]} */ ([0.34, 0.38, 0.4]);
const PLANE_M = 400; // side of the square that stands for a plane without end

/**
 * Linear colour of a structure; steel without a name.
 * @param {string | null | undefined} name CSS colour
 * @returns {[number, number, number]}
 */
export function paintColour(name) {
  if (!name) return STEEL;
  const { r, g, b } = new Color(name);
  return [r, g, b];
}

/**
 * The triangles of all structures.
 * @param {Structure[]} structures
 * @returns {BufferGeometry}
 */
export function structureGeometry(structures) {
  const solids = new SolidsBuilder();
  for (const item of structures) {
    // a plane is the wall of a basin: clean, without growth
    const bare = item.kind === "plane";
    solids.placeAt(item.center_n, item.axes_n, bare && !item.colour ? WALL : paintColour(item.colour), bare ? 0 : 1);
    if (item.kind === "box") solids.box(item.half_m);
    else if (item.kind === "cylinder") solids.cylinder(item.half_m[0], item.half_m[1]);
    else if (item.kind === "sphere") solids.sphere(item.half_m[0]);
    else if (item.kind === "plane") solids.plane(PLANE_M);
    else if (item.mesh) solids.mesh(item.mesh);
  }
  return solids.geometry();
}

const VERTEX = `
attribute vec4 colour;
attribute vec4 face;
varying vec3 vPlace;
varying vec3 vNormal;
varying vec4 vColour;
varying vec4 vFace;
void main() {
  vPlace = position;
  vNormal = normal;
  vColour = colour;
  vFace = face;
  gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0);
}`;

const FRAGMENT = `
varying vec3 vPlace;
varying vec3 vNormal;
varying vec4 vColour;
varying vec4 vFace;
uniform float uBottom;
uniform vec3 uSand;
void main() {
  vec3 normal = normalize(vNormal);
  float range = length(vPlace - uEye);
  // shift the texture from face to face of a box, but not along round solids, which would show a seam
  vec2 at = vFace.xy + step(vFace.w, 5000.0) * 1.7 * vec2(normal.x + 2.0 * normal.z, normal.y - normal.z);
  vec4 broad = texture2D(uNoise, at * 0.17);
  vec4 fine = texture2D(uNoise, at * 0.93);

  vec3 colour = mix(vColour.rgb, vec3(0.3, 0.29, 0.27), 0.14) * (0.7 + 0.4 * fine.r) * (0.8 + 0.4 * broad.g);
  // rust in long vertical streaks
  float aside = vFace.w > 5000.0 ? vFace.y : dot(vPlace.xy, vec2(-normal.y, normal.x));
  float streak = texture2D(uNoise, vec2(aside * 0.31, vPlace.z * 0.06)).g * step(abs(normal.z), 0.6);
  streak = smoothstep(0.52, 0.95, 0.75 * streak + 0.4 * broad.r);
  colour = mix(colour, vec3(0.19, 0.08, 0.035), 0.7 * streak * vColour.a);

  // plates: seams every 2.5 m in both directions, brighter joints every 5 m along
  vec2 plate = abs(mod(vFace.xy + 1.25, 2.5) - 1.25);
  vec2 wide = step(1.9, vFace.zw) * step(vFace.zw, vec2(5000.0));
  vec2 seams = (1.0 - smoothstep(0.012, 0.03 + 0.004 * range, plate)) * wide;
  colour *= 1.0 - 0.45 * max(seams.x, seams.y);
  float joint = 1.0 - smoothstep(0.05, 0.07 + 0.004 * range, abs(mod(vFace.x + 2.5, 5.0) - 2.5));
  colour *= 1.0 + 0.35 * joint * step(6.0, vFace.z) * step(vFace.z, 5000.0);

  // walls of a basin have tiles of 1 m and a dark band below the surface
  vec2 tile = abs(fract(vFace.xy) - 0.5);
  float gap = smoothstep(0.488 - 0.002 * range, 0.5, max(tile.x, tile.y)) / (1.0 + 0.05 * range);
  colour *= 1.0 - (1.0 - vColour.a) * 0.5 * gap;
  colour = mix(colour, vec3(0.02, 0.1, 0.2), (1.0 - vColour.a) * 0.8 * step(abs(vPlace.z - 0.45), 0.1));

  // growth: thick near the surface, patchy below; little on edges
  float edge = min(vFace.z - abs(vFace.x), vFace.w - abs(vFace.y));
  float lit = exp(-max(vPlace.z, 0.0) / 14.0);
  float growth = smoothstep(0.6 - 0.36 * lit, 0.88 - 0.26 * lit, 0.7 * broad.r + 0.36 * fine.r);
  growth *= vColour.a * (0.45 + 0.55 * smoothstep(0.0, 0.18, edge));
  vec3 alga = mix(vec3(0.06, 0.075, 0.03), vec3(0.28, 0.23, 0.13), fine.g);
  alga = mix(alga, vec3(0.42, 0.15, 0.07), 0.8 * smoothstep(0.6, 0.8, broad.g) * smoothstep(0.45, 0.7, fine.r));
  colour = mix(colour, alga * (0.6 + 0.7 * fine.r), 0.85 * growth);

#ifdef HIGH
  vec4 grain = texture2D(uNoise, at * 3.7);
  colour *= 0.78 + 0.44 * grain.r;
  // fine grain, visible from close by only
  vec4 touch = texture2D(uNoise, at * 19.0 + 0.3 * grain.rg);
  colour *= 1.0 + exp(-1.5 * range) * (0.8 * (touch.r - 0.5) + 0.6 * (touch.a - 0.45));
  // barnacles in patches, on growth and on bare steel
  float size = 0.4 * smoothstep(0.45, 0.8, 0.6 * broad.g + 0.5 * fine.g) * (0.4 + fine.r);
  float shell = smoothstep(size, 0.4 * size, texture2D(uNoise, at * 1.4 + 0.02 * fine.rg).a) * step(0.02, size);
  colour = mix(colour, vec3(0.4, 0.36, 0.29) * (0.6 + 0.6 * grain.g), 0.5 * shell * vColour.a);
  normal = normalize(normal + (0.25 + 0.5 * growth) * (vec3(fine.r, fine.g, grain.r) + 0.6 * grain.grb - 0.8));
#else
  normal = normalize(normal + (0.2 + 0.45 * growth) * (vec3(fine.rg, broad.r) - 0.5));
#endif

  // worn edges are brighter
  float wear = 1.0 - smoothstep(0.015, 0.05 + 0.006 * range, edge);
  colour = mix(colour, vColour.rgb * 0.7 + 0.18, 0.45 * wear);

  // silt on upward faces and at the foot
  float silt = smoothstep(0.45, 0.95, -vNormal.z) * (0.35 + 0.65 * smoothstep(0.25, 0.6, broad.r));
  float above = uBottom - vPlace.z;
  silt = max(silt, 0.8 * (1.0 - smoothstep(0.0, 0.5, above - 0.45 * fine.r)));
  colour = mix(colour, uSand * (0.8 + 0.3 * fine.r), 0.75 * silt);
  float corner = 0.5 + 0.5 * smoothstep(-0.05, 1.1, above);

  vec3 ray = normalize(vPlace - uEye);
  vec3 light = daylightOn(vPlace, normal) * corner + lampsOn(vPlace, normal, 0.08) * mix(corner, 1.0, 0.6);
  light += fillOn(normal, ray);
  gl_FragColor = toScreen(throughWater(colour * light, vPlace), 1.0);
}`;

/** The mesh of all structures. */
export class Structures {
  /**
   * @param {Water} water
   * @param {{value: any}} sand colour of the bottom
   */
  constructor(water, sand) {
    this.bottom = { value: 1e6 };
    this.mesh = new Mesh(new BufferGeometry(), water.material({
      vertex: VERTEX, fragment: FRAGMENT, uniforms: { uBottom: this.bottom, uSand: sand },
    }));
    this.mesh.frustumCulled = false;
    this.mesh.visible = false;
  }

  /**
   * Take the structures of a scene.
   * @param {SceneHello} scene
   */
  setScene(scene) {
    this.mesh.geometry.dispose();
    this.mesh.geometry = structureGeometry(scene.structures);
    this.mesh.visible = scene.structures.length > 0;
    this.bottom.value = scene.seabed?.kind === "flat" ? scene.seabed.depth_m : 1e6;
  }
}
