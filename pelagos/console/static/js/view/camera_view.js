// Draws the camera picture, from the vehicle's camera or from a chase camera that follows the vehicle. World axes are
// the simulator's, north, east, down, so up is (0, 0, -1). All input comes from the hello message and from samples.
import { Object3D, PerspectiveCamera, Scene, Vector3, WebGLRenderer } from "../../vendor/three.js";
import { DEG, cameraPose } from "../frames.js";
import { Chase } from "./chase.js";
import { keepClear, rangeTo } from "./clearance.js";
import { ContactsView } from "./solids/contacts.js";
import { Iris, exposure } from "./iris.js";
import { Lamps } from "./water/lamps.js";
import { SOFTENING_M } from "./water/light.js";
import { Marks } from "./marks.js";
import { Particles } from "./water/particles.js";
import { applyPose, pixelOf, verticalField } from "./pose.js";
import { SeabedView } from "./solids/seabed.js";
import { Ship } from "./solids/ship.js";
import { Snow } from "./water/snow.js";
import { Stones } from "./solids/stones.js";
import { Structures } from "./solids/structures.js";
import { SurfaceView, elevation } from "./water/surface.js";
import { TetherView } from "./solids/tether.js";
import { VehicleView } from "./solids/vehicle.js";
import { Water } from "./water/water.js";

/** @typedef {import("../types.js").Hello} Hello */
/** @typedef {import("../types.js").Sample} Sample */
/** @typedef {import("../types.js").CameraHello} CameraHello */
/** @typedef {[number, number, number]} Vector */

const MOST_LOW_PIXELS = 640 * 360; // of the drawing buffer at low quality
const CHASE_FOV_DEG = 68;
const CHASE_EXPOSURE = 90; // lamp strength as the chase camera shows it, fixed: it has no iris
const NEAR_M = { pilot: 0.01, chase: 0.05 }; // the lens can be centimetres from a wall
const LENS_CLEAR_M = 0.03; // least distance from the lens to a solid
const LONGEST_STEP_S = 1; // a longer simulated time between two pictures, or a negative one, counts as a jump
/** @type {CameraHello} */
const DEFAULT_CAMERA = {
  name: "camera", position_m: [0, 0, 0], pan_deg: 0, tilt_deg: 0, pan_limit_deg: [-90, 90], tilt_limit_deg: [-90, 90],
  fov_deg: 80, zoom_most: 4,
};

/**
 * The value of a column, or a default if the sample lacks it (NaN).
 * @param {number} value
 * @param {number} otherwise
 */
function valueOr(value, otherwise) {
  return Number.isNaN(value) ? otherwise : value;
}

/** The three.js scene of the console: everything that is drawn, the camera and the renderer. */
export class CameraView {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {{quality?: "low" | "high", keep?: boolean}} [options] keep: the picture can be read back after drawing
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
    this.cameras = [DEFAULT_CAMERA];
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
    /** Depths of surface and bottom at a place. @type {(north: number, east: number) => [number, number]} */
    this.depthLimits = (north, east) => [
      this.hasSurface ? -elevation(this.waves, north, east, this.lastTime) : -Infinity,
      this.seabed.ground.known ? this.seabed.ground.depthAt(north, east) : Infinity,
    ];
    /** Distance to the first structure in a direction. @type {(from: Vector3, direction: Vector3) => number} */
    this.freeRange = (from, direction) => {
      let free = Infinity;
      for (const item of this.solids) {
        // `rangeTo` takes a mesh as its bounding box, and the vehicle may be inside that box
        const range = item.kind === "mesh" ? 0 : rangeTo(item, from.toArray(), direction.toArray());
        if (range > 0) free = Math.min(free, range);
      }
      return free;
    };
    canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
  }

  /**
   * Build the scene of a session.
   * @param {Hello} hello
   */
  setHello(hello) {
    const { vehicle, scene, marks, waypoints } = hello.source;
    const onBody = /** @type {any} */ (hello.source).vehicle_marks ?? [];
    this.cameras = vehicle.cameras.length > 0 ? vehicle.cameras : [DEFAULT_CAMERA];
    this.waves = scene.waves;
    this.solids = scene.structures;
    this.hasSurface = scene.surface;
    this.water.setScene(scene);
    this.seabed.setScene(scene);
    this.stones.reset();
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
    // compile all shaders now: compiling one in flight would freeze the picture
    this.renderer.compile(this.scene, this.camera);
    this.ready = true;
  }

  /**
   * Fit the picture to its place on the page.
   * @param {number} width CSS pixels
   * @param {number} height CSS pixels
   * @param {number} [dpr] device pixels per CSS pixel
   */
  resize(width, height, dpr = 1) {
    this.width = Math.max(1, width);
    this.height = Math.max(1, height);
    // a software renderer's time grows with the number of pixels: draw fewer, and the page stretches them
    const scale = Math.min(1, Math.sqrt(MOST_LOW_PIXELS / (this.width * this.height)));
    this.renderer.setPixelRatio(this.quality === "low" ? scale : Math.min(dpr, 2));
    this.renderer.setSize(this.width, this.height, false);
    this.renderer.getDrawingBufferSize(this.water.uniforms.uScreen.value);
  }

  /**
   * Turn the chase camera around the vehicle.
   * @param {number} dx pixels to the right
   * @param {number} dy pixels down
   */
  orbit(dx, dy) {
    this.chase.orbit(dx / this.width, dy / this.height);
  }

  /**
   * Change the distance of the chase camera.
   * @param {number} factor above 1: farther from the vehicle
   */
  dolly(factor) {
    this.chase.dolly(factor);
  }

  /**
   * Pixels of a point in the last picture.
   * @param {Vector} point north, east, depth
   * @returns {[number, number] | null} CSS pixels, or null behind the camera
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
    const dt = this.timeStep(sample);
    const wall_s = Number.isNaN(this.lastNow) ? 0 : Math.min(Math.max((now_ms - this.lastNow) / 1000, 0), 0.25);
    this.lastNow = now_ms;
    const pilot = mode === "pilot";
    this.placeBody(sample);
    if (pilot) this.aimPilotCamera(sample);
    else this.aimChaseCamera(sample, wall_s);
    this.eye.setFromMatrixPosition(this.camera.matrixWorld);
    const lights = Math.min(1, Math.max(0, valueOr(sample.get("lights"), 1)));
    const [surface] = this.depthLimits(this.eye.x, this.eye.y);
    const under = this.eye.z > surface;
    // width in pixels of 1 m at a distance of 1 m
    const pixels = (this.camera.projectionMatrix.elements[5] * this.water.uniforms.uScreen.value.y) / 2;
    this.water.update(this.eye, surface, sample.time);
    // the darker the water, the stronger the fill light of the chase camera
    this.water.uniforms.uFill.value = pilot ? 0 : 0.65 - 0.25 * Math.min(1, this.water.uniforms.uDay.value.y);
    this.water.aimBackground(this.camera);
    this.lamps.update(this.body, lights, pilot, pilot ? this.irisExposure(wall_s) : CHASE_EXPOSURE);
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
   * Simulated time since the last picture, s; 0 after a jump.
   * @param {Sample} sample
   */
  timeStep(sample) {
    const dt = sample.time - this.lastTime;
    this.lastTime = sample.time;
    if (dt >= 0 && dt <= LONGEST_STEP_S) return dt;
    if (dt < 0) {
      this.particles.clear();
      this.marks.showCollisions([]);
    }
    return 0;
  }

  /**
   * Strength of the lamps as the pilot's camera shows it.
   * @param {number} wall_s since the last picture, of the wall clock
   */
  irisExposure(wall_s) {
    const water = this.water;
    const range = this.iris.update(this.camera, this.seabed.ground, 0.55 * water.visibility_m, wall_s);
    const green = water.uniforms.uAttenuation.value.y + water.uniforms.uOutward.value.y;
    // daylight closes the iris further
    return exposure(range, green, SOFTENING_M) / (1 + 3 * water.uniforms.uDay.value.y);
  }

  /** @param {Sample} sample */
  placeBody(sample) {
    this.body.position.set(sample.get("north_m"), sample.get("east_m"), sample.get("depth_m"));
    // three.js stores the scalar of a quaternion last
    this.body.quaternion.set(sample.get("q1"), sample.get("q2"), sample.get("q3"), sample.get("q0"));
    this.body.updateMatrixWorld(true);
  }

  /** @param {Sample} sample */
  aimPilotCamera(sample) {
    const index = valueOr(sample.get("camera_index"), 0);
    const camera = this.cameras[Math.min(Math.max(Math.round(index), 0), this.cameras.length - 1)];
    const place = this.body.position;
    const pan = valueOr(sample.get("pan_deg"), camera.pan_deg);
    const tilt = valueOr(sample.get("tilt_deg"), camera.tilt_deg);
    const pose = cameraPose(
      [place.x, place.y, place.z],
      [sample.get("q0"), sample.get("q1"), sample.get("q2"), sample.get("q3")],
      camera.position_m, pan, tilt,
    );
    for (const item of this.solids) pose.place = keepClear(item, pose.place, LENS_CLEAR_M);
    applyPose(this.camera, pose);
    this.setField(NEAR_M.pilot, camera.fov_deg, Math.max(1, valueOr(sample.get("zoom"), 1)));
  }

  /**
   * @param {Sample} sample
   * @param {number} wall_s
   */
  aimChaseCamera(sample, wall_s) {
    const heading = valueOr(sample.get("heading_deg"), 0) * DEG;
    this.chase.follow(this.body.position, heading, wall_s, this.depthLimits, this.freeRange);
    this.camera.position.copy(this.chase.eye);
    this.camera.matrixWorld.setPosition(this.chase.eye); // lookAt reads the position from this matrix
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

  /** Free the memory of the graphics card. */
  dispose() {
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }
}
