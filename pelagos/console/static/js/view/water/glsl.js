// The part of the shaders that all materials share: light that reaches a point, and the share that reaches the camera.
// Places are in world axes (north, east, down), lengths in m, colours linear until `toScreen`.
import { SOFTENING_M } from "./light.js";

/**
 * Uniforms and functions of light in water.
 * @param {number} lamps number of lamps that the shaders sum
 */
export function lightGlsl(lamps) {
  return `
#define LAMPS ${lamps}
uniform vec3 uEye;
uniform vec3 uAttenuation;
uniform vec3 uOutward;
uniform vec3 uVeil;
uniform vec3 uDay;
uniform vec3 uDayFall;
uniform float uVeilSlope;
uniform float uAir;
uniform float uTime;
uniform vec2 uScreen;
uniform vec4 uLampPlace[LAMPS];
uniform vec4 uLampAxis[LAMPS];
uniform vec4 uGlow;
uniform float uGlowEdge;
uniform vec3 uGlowColour;
uniform float uIris;
uniform float uRays;
uniform float uFill;
uniform sampler2D uNoise;

// the sun, 42 deg from the zenith; refracted by the surface, 30.1 deg; and two directions across the refracted one
const vec3 SUN = vec3(0.5413, 0.3933, -0.7431);
const vec3 SUN_BELOW = vec3(0.4061, 0.2951, -0.8649);
const vec3 SUN_ASIDE = vec3(0.5878, -0.8090, 0.0);
const vec3 SUN_DOWN = vec3(-0.6997, -0.5084, -0.5020);
const vec3 LAMP_COLOUR = vec3(1.0, 0.95, 0.86);

float beam(float cosine, float edge) {
  float inside = clamp((cosine - edge) / (1.0 - edge), 0.0, 1.0);
  return inside * inside * (3.0 - 2.0 * inside);
}

// radiance of the open water or of the sky in a direction
vec3 veil(vec3 direction) {
  float up = -direction.z;
  vec3 water = uVeil * exp(uVeilSlope * up - 0.35 * uVeilSlope);
#ifdef HIGH
  if (uRays > 0.01 && up > 0.0) {
    // sun rays fan out from the sun: noise of the angle around it, moving slowly
    float angle = atan(dot(direction, SUN_DOWN), dot(direction, SUN_ASIDE)) / 6.2831853;
    float ray = texture2D(uNoise, vec2(angle * 4.0, uTime * 0.006)).r
      * texture2D(uNoise, vec2(angle * 11.0 + 0.3, 0.5 - uTime * 0.004)).g;
    float near = 0.2 + 0.8 * max(dot(direction, SUN_BELOW), 0.0);
    near *= near;
    // close to the sun they merge
    float apart = smoothstep(0.0, 0.12, 1.0 - dot(direction, SUN_BELOW));
    water += (uVeil + uDay * 0.2) * uRays * near * smoothstep(0.0, 0.5, up) * mix(0.12, 1.9 * ray * ray, apart);
  }
#endif
  if (uAir < 0.5) return water;
  vec3 sky = mix(vec3(0.62, 0.74, 0.82), vec3(0.16, 0.34, 0.62), pow(clamp(up, 0.0, 1.0), 0.55));
  return up < 0.0 ? mix(sky, vec3(0.02, 0.08, 0.11), clamp(-8.0 * up, 0.0, 1.0)) : sky;
}

vec3 daylightOn(vec3 place, vec3 normal) {
  float deeper = clamp(place.z - uEye.z, -60.0, 60.0);
#ifdef HIGH
  vec3 daylight = uDay * exp(-uDayFall * deeper);
#else
  vec3 daylight = uDay / (1.0 + max(uDayFall * deeper, -0.5));
#endif
  float up = -normal.z;
  return daylight * (0.42 + 0.45 * up + 0.13 * up * up);
}

vec3 lampsOn(vec3 place, vec3 normal, float wrap) {
  vec3 sum = vec3(0.0);
  for (int i = 0; i < LAMPS; i++) {
    vec3 direction = place - uLampPlace[i].xyz;
    float range2 = dot(direction, direction);
    float range = sqrt(range2);
    direction /= max(range, 0.05);
    float facing = max((dot(-direction, normal) + wrap) / (1.0 + wrap), 0.0);
    float strength = uLampAxis[i].w * beam(dot(direction, uLampAxis[i].xyz), uLampPlace[i].w);
    sum += strength * facing / (range2 + ${(SOFTENING_M * SOFTENING_M).toFixed(2)}) * exp(-uOutward * range);
  }
  return sum * LAMP_COLOUR;
}

// fill light of the chase camera, so that the vehicle is visible in dark water
vec3 fillOn(vec3 normal, vec3 ray) {
  return uFill * (0.35 + 0.65 * max(dot(normal, -ray), 0.0)) * vec3(0.75, 0.92, 1.0);
}

// lamp light scattered back by the water in front of the camera
vec3 glow(vec3 direction, vec3 transmission) {
  float shape = beam(dot(direction, uGlow.xyz), uGlowEdge);
  return uGlow.w * shape * shape * uGlowColour * (1.0 - transmission * sqrt(transmission));
}

vec3 behindWater(vec3 colour, vec3 place, float compression) {
  vec3 ray = place - uEye;
  float range = length(ray);
  ray /= max(range, 1e-4);
  vec3 transmission = exp(-uAttenuation * range);
  vec3 attenuated = colour * transmission;
  attenuated /= 1.0 + compression * max(attenuated.g - 0.25, 0.0);
  return attenuated + veil(ray) * (1.0 - transmission) + glow(ray, transmission);
}

// compresses bright colours below white: a surface close to a lamp keeps its texture
vec3 throughWater(vec3 colour, vec3 place) {
  return behindWater(colour, place, 1.3);
}
`;
}

/** The last step of every fragment shader: from linear colour to the screen. */
export const SCREEN_GLSL = `
// vignette, tone curve, gamma, and dither against bands in dark areas
vec4 toScreen(vec3 colour, float alpha) {
  vec2 at = gl_FragCoord.xy / uScreen - 0.5;
  colour *= 1.0 - 0.75 * dot(at, at);
  // film curve, after Narkowicz's fit to ACES: darkens dark parts and compresses bright ones
  colour = colour * (2.51 * colour + 0.03) / (colour * (2.43 * colour + 0.59) + 0.14);
#ifdef HIGH
  colour = pow(clamp(colour, 0.0, 1.0), vec3(1.0 / 2.2));
#else
  colour = sqrt(clamp(colour, 0.0, 1.0));
#endif
  // interleaved gradient noise (Jimenez 2014)
  float grain = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
  return vec4(colour + (grain - 0.5) * (1.5 / 255.0), alpha);
}
`;

/** The vertex shader of meshes in world axes, or placed by their model matrix. */
export const PLACE_VERTEX = `
varying vec3 vPlace;
varying vec3 vNormal;
void main() {
  vec4 place = modelMatrix * vec4(position, 1.0);
  vPlace = place.xyz;
  vNormal = mat3(modelMatrix) * normal;
  gl_Position = projectionMatrix * viewMatrix * place;
}
`;
