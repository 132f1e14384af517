// The picture: what the vehicle's camera sees, or a free camera that follows the vehicle. World axes are the
// simulator's, north, east, down, so up is (0, 0, -1). Everything shown comes from the hello and the sample.
import { Object3D, PerspectiveCamera, Scene, Vector3, WebGLRenderer } from "../../vendor/three.js";
import { DEG, cameraPose } from "../frames.js";
import { Chase } from "./chase.js";
import { clearOf, rangeTo } from "./clearance.js";
import { ContactsView } from "./contacts.js";
import { Iris, exposure } from "./iris.js";
import { Lamps } from "./lamps.js";
import { IRIS_M } from "./light.js";
import { Marks } from "./marks.js";
import { Particles } from "./particles.js";
import { applyPose, pixelOf, verticalField } from "./pose.js";
import { SeabedView } from "./seabed.js";
import { Ship } from "./ship.js";
import { Snow } from "./snow.js";
import { Stones } from "./stones.js";
import { Structures } from "./structures.js";
import { SurfaceView, elevation } from "./surface.js";
import { TetherView } from "./tether.js";
import { VehicleView } from "./vehicle.js";
import { Water } from "./water.js";

/** @typedef {import("../types.js").Hello} Hello */
/** @typedef {import("../types.js").Sample} Sample */
/** @typedef {import("../types.js").CameraHello} CameraHello */
/** @typedef {[number, number, number]} Vector */

const MOST_LOW_PIXELS = 640 * 360;
const CHASE_FOV_DEG = 68;
const CHASE_EXPOSURE = 90;
const NEAR_M = { pilot: 0.01, chase: 0.05 }; // the lens can be centimetres from a wall
const LENS_CLEAR_M = 0.03;
const LONGEST_STEP_S = 1; // a longer pause between pictures, or time that runs backwards, is a jump
/** @type {CameraHello} */
const PLAIN_CAMERA = {
  name: "camera", position_m: [0, 0, 0], pan_deg: 0, tilt_deg: 0, pan_limit_deg: [-90, 90], tilt_limit_deg: [-90, 90],
  fov_deg: 80, zoom_most: 4,
};

/**
 * @param {number} value
 * @param {number} otherwise
 */
function known(value, otherwise) {
  return Number.isNaN(value) ? otherwise : value;
}

export class CameraView {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {{quality?: "low" | "high", keep?: boolean}} [options] keep: the drawn picture can be read back
   */
  constructor(canvas, { quality = "high", keep = false } = {}) {
    this.quality = quality;
    this.renderer = new WebGLRenderer({
      canvas, antialias: quality === "high", preserveDrawingBuffer: keep, powerPreference: "high-performance",
      stencil: false,
    });
    this.renderer.autoClear = true;
    this.camera = new PerspectiveCamera(60, 16 / 9, 0.05, 400);
    this.camera.up.set(0, 0, -1);
    this.camera.matrixAutoUpdate = false;
    this.camera.matrixWorldAutoUpdate = false;
    this.width = 480;
    this.height = 270;
    this.scene = new Scene();
    this.water = new Water(quality);
    this.body = new Object3D();
    this.seabed = new SeabedView(this.water);
    this.stones = new Stones(this.water, this.seabed);
    this.structures = new Structures(this.water, this.seabed.sand);
    this.surface = new SurfaceView(this.water);
    this.vehicle = new VehicleView(this.water);
    this.lamps = new Lamps(this.water);
    this.tether = new TetherView(this.water);
    this.ship = new Ship(this.water);
    this.snow = new Snow(this.water);
    this.particles = new Particles(this.water, this.seabed.sand);
    this.marks = new Marks(this.water);
    this.contacts = new ContactsView(this.water);
    this.chase = new Chase();
    this.iris = new Iris();
    this.body.add(this.vehicle.mesh);
    this.scene.add(
      this.body, this.structures.mesh, this.seabed.mesh, this.stones.mesh, this.surface.mesh, this.tether.mesh,
      this.ship.mesh, this.contacts.group,
      this.water.background, this.lamps.cones, this.snow.points, this.particles.points, this.marks.group,
    );
    /** @type {CameraHello[]} */
    this.cameras = [PLAIN_CAMERA];
    /** @type {import("../types.js").Wave[]} */
    this.waves = [];
    /** @type {import("../types.js").Structure[]} */
    this.solids = [];
    this.hasSurface = false;
    this.ready = false;
    this.lastTime = NaN;
    this.lastNow = NaN;
    this.scratch = new Vector3();
    this.eye = new Vector3();
    /** @type {(north: number, east: number) => [number, number]} */
    this.depthLimits = (north, east) => [
      this.hasSurface ? -elevation(this.waves, north, east, this.lastTime) : -Infinity,
      this.seabed.ground.known ? this.seabed.ground.depthAt(north, east) : Infinity,
    ];
    /** @type {(from: Vector3, way: Vector3) => number} */
    this.sight = (from, way) => {
      let free = Infinity;
      for (const item of this.solids) {
        // a mesh is known by its box only, and the vehicle may be in that
        const range = item.kind === "mesh" ? 0 : rangeTo(item, [from.x, from.y, from.z], [way.x, way.y, way.z]);
        if (range > 0) free = Math.min(free, range);
      }
      return free;
    };
    canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
  }

  /** @param {Hello} hello */
  setHello(hello) {
    const { vehicle, scene, marks, waypoints } = hello.source;
    const onBody = /** @type {any} */ (hello.source).vehicle_marks ?? [];
    this.cameras = vehicle.cameras.length > 0 ? vehicle.cameras : [PLAIN_CAMERA];
    this.waves = scene.waves;
    this.solids = scene.structures;
    this.hasSurface = scene.surface;
    this.water.setScene(scene);
    this.seabed.setScene(scene);
    this.stones.forget();
    this.structures.setScene(scene);
    this.iris.setStructures(scene.structures);
    this.surface.setScene(scene);
    this.vehicle.setVehicle(vehicle);
    this.lamps.setLamps(vehicle.lamps, scene.structures);
    this.tether.setVehicle(vehicle);
    this.particles.setThrusters(vehicle.thrusters);
    this.particles.clear();
    this.marks.set(marks ?? [], onBody, waypoints ?? []);
    this.chase.setSize(vehicle.length_m);
    // all shaders now: one that is first needed in flight would stop the picture
    this.renderer.compile(this.scene, this.camera);
    this.ready = true;
  }

  /**
   * @param {number} width CSS pixels
   * @param {number} height
   * @param {number} [dpr] device pixels to one of them
   */
  resize(width, height, dpr = 1) {
    this.width = Math.max(1, width);
    this.height = Math.max(1, height);
    // without a graphics card the time goes with the pixels: fewer of them, stretched over the page
    const enough = Math.min(1, Math.sqrt(MOST_LOW_PIXELS / (this.width * this.height)));
    this.renderer.setPixelRatio(this.quality === "low" ? enough : Math.min(dpr, 2));
    this.renderer.setSize(this.width, this.height, false);
    this.renderer.getDrawingBufferSize(this.water.uniforms.uScreen.value);
  }

  /**
   * @param {number} dx pixels to the right
   * @param {number} dy pixels down
   */
  orbit(dx, dy) {
    this.chase.orbit(dx / this.width, dy / this.height);
  }

  /** @param {number} factor above 1: farther from the vehicle */
  dolly(factor) {
    this.chase.dolly(factor);
  }

  /**
   * @param {Vector} point north, east, depth
   * @returns {[number, number] | null} CSS pixels of the last picture, or null behind the camera
   */
  project(point) {
    return pixelOf(this.camera, point, this.width, this.height, this.scratch);
  }

  /**
   * Draw one picture.
   * @param {Sample} sample
   * @param {number} now_ms of the wall clock
   * @param {{mode?: "pilot" | "chase", contacts?: import("../contacts.js").PlacedContact[]}} [options]
   */
  render(sample, now_ms, { mode = "pilot", contacts = [] } = {}) {
    if (!this.ready || Number.isNaN(sample.get("north_m"))) return;
    const dt = this.timeSince(sample);
    const wall = Number.isNaN(this.lastNow) ? 0 : Math.min(Math.max((now_ms - this.lastNow) / 1000, 0), 0.25);
    this.lastNow = now_ms;
    const pilot = mode === "pilot";
    this.placeBody(sample);
    if (pilot) this.aimAboard(sample);
    else this.aimChase(sample, wall);
    this.eye.setFromMatrixPosition(this.camera.matrixWorld);
    const lights = Math.min(1, Math.max(0, known(sample.get("lights"), 1)));
    const [surface] = this.depthLimits(this.eye.x, this.eye.y);
    const under = this.eye.z > surface;
    // pixels that 1 m is wide at a distance of 1 m
    const pixels = (this.camera.projectionMatrix.elements[5] * this.water.uniforms.uScreen.value.y) / 2;
    this.water.update(this.eye, surface, sample.time);
    // the darker it is, the more a free camera needs a light of its own
    this.water.uniforms.uFill.value = pilot ? 0 : 0.65 - 0.25 * Math.min(1, this.water.uniforms.uDay.value.y);
    this.water.aimBackground(this.camera);
    this.lamps.update(this.body, lights, pilot, pilot ? this.openIris(wall) : CHASE_EXPOSURE);
    this.vehicle.mesh.visible = !pilot && this.vehicle.drawn;
    this.vehicle.update(sample, dt, lights);
    this.seabed.update(this.eye, this.body.position, pilot ? 0 : this.vehicle.size_m);
    this.stones.update(this.eye);
    this.surface.update(this.eye, sample.time);
    this.tether.update(sample, 1 / pixels);
    this.snow.update(sample, dt, pixels, under);
    this.ship.update(sample, this.eye, this.hasSurface, this.waves);
    this.particles.update(sample, this.body, this.vehicle.size_m, this.seabed.ground, dt, pixels);
    this.marks.update(sample, this.body, this.camera, 1 / pixels, pilot);
    this.contacts.update(contacts, this.camera, 1 / pixels);
    this.renderer.render(this.scene, this.camera);
  }

  /**
   * Simulated time since the last picture; none after a jump.
   * @param {Sample} sample
   */
  timeSince(sample) {
    const dt = sample.time - this.lastTime;
    this.lastTime = sample.time;
    if (dt >= 0 && dt <= LONGEST_STEP_S) return dt;
    if (dt < 0) {
      this.particles.clear();
      this.marks.showCrashes([]);
    }
    return 0;
  }

  /** @param {number} wall_s */
  openIris(wall_s) {
    const water = this.water;
    const range = this.iris.update(this.camera, this.seabed.ground, 0.55 * water.visibility_m, wall_s);
    const green = water.uniforms.uAttenuation.value.y + water.uniforms.uOutward.value.y;
    // by day the iris is closed already
    return exposure(range, green, IRIS_M) / (1 + 3 * water.uniforms.uDay.value.y);
  }

  /** @param {Sample} sample */
  placeBody(sample) {
    this.body.position.set(sample.get("north_m"), sample.get("east_m"), sample.get("depth_m"));
    // three keeps the scalar last
    this.body.quaternion.set(sample.get("q1"), sample.get("q2"), sample.get("q3"), sample.get("q0"));
    this.body.updateMatrixWorld(true);
  }

  /** @param {Sample} sample */
  aimAboard(sample) {
    const index = known(sample.get("camera_index"), 0);
    const camera = this.cameras[Math.min(Math.max(Math.round(index), 0), this.cameras.length - 1)];
    const place = this.body.position;
    const pose = cameraPose(
      [place.x, place.y, place.z],
      [sample.get("q0"), sample.get("q1"), sample.get("q2"), sample.get("q3")],
      camera.position_m, known(sample.get("pan_deg"), camera.pan_deg), known(sample.get("tilt_deg"), camera.tilt_deg),
    );
    for (const item of this.solids) pose.place = clearOf(item, pose.place, LENS_CLEAR_M);
    applyPose(this.camera, pose);
    this.setField(NEAR_M.pilot, camera.fov_deg, Math.max(1, known(sample.get("zoom"), 1)));
  }

  /**
   * @param {Sample} sample
   * @param {number} wall_s
   */
  aimChase(sample, wall_s) {
    const heading = known(sample.get("heading_deg"), 0) * DEG;
    this.chase.follow(this.body.position, heading, wall_s, this.depthLimits, this.sight);
    this.camera.position.copy(this.chase.eye);
    this.camera.matrixWorld.setPosition(this.chase.eye); // lookAt starts from there
    this.camera.lookAt(this.chase.target);
    this.camera.matrixWorld.compose(this.camera.position, this.camera.quaternion, this.camera.scale);
    this.setField(NEAR_M.chase, CHASE_FOV_DEG, 1);
  }

  /**
   * @param {number} near_m
   * @param {number} fov_deg horizontal
   * @param {number} zoom
   */
  setField(near_m, fov_deg, zoom) {
    this.camera.near = near_m;
    this.camera.aspect = this.width / this.height;
    this.camera.fov = verticalField(fov_deg, zoom, this.camera.aspect) / DEG;
    this.camera.updateProjectionMatrix();
    this.camera.matrixWorldInverse.copy(this.camera.matrixWorld).invert();
  }

  /** Give back the memory of the graphics card. */
  dispose() {
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }
}
