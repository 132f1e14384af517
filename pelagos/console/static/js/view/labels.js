// Text labels in the picture: each stands at a place in the water, has the same size at any distance, and none overlap.
import { CanvasTexture, Group, Sprite, SpriteMaterial, Vector3 } from "../../vendor/three.js";

/** @typedef {[number, number, number]} Vector */
/** @typedef {{x: number, y: number, width: number, height: number}} Box middle, y upwards */

const HEIGHT_PX = 26; // of a label at any distance

/**
 * Distances by which to move boxes up so that none overlap. Earlier boxes keep their place.
 * @param {Box[]} boxes
 * @returns {number[]}
 */
export function stackOffsets(boxes) {
  /** @type {Box[]} */
  const placed = [];
  return boxes.map((box) => {
    const at = { ...box };
    // in order from below, so that one pass finds the first gap
    for (const other of [...placed].sort((a, b) => a.y - b.y)) {
      const [across, along] = [Math.abs(at.x - other.x), Math.abs(at.y - other.y)];
      if (across >= (at.width + other.width) / 2 || along >= (at.height + other.height) / 2) continue;
      at.y = other.y + (at.height + other.height) / 2;
    }
    placed.push(at);
    return at.y - box.y;
  });
}

/** A group of labels. */
export class Labels {
  constructor() {
    this.group = new Group();
  }

  /** Remove all labels and free their memory. */
  clear() {
    for (const label of /** @type {Sprite[]} */ ([...this.group.children])) {
      label.material.map?.dispose();
      label.material.dispose();
      this.group.remove(label);
    }
  }

  /**
   * Add a label. Without a document, as in the tests, this does nothing.
   * @param {string} text
   * @param {Vector} at
   * @param {string} colour
   */
  add(text, at, colour) {
    if (typeof document === "undefined") return;
    const canvas = document.createElement("canvas");
    const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    const font = "600 30px system-ui, sans-serif";
    pen.font = font;
    canvas.width = Math.ceil(pen.measureText(text).width) + 24;
    canvas.height = 44;
    pen.font = font;
    pen.textBaseline = "middle";
    pen.fillStyle = "rgba(4, 14, 22, 0.72)";
    pen.beginPath();
    pen.roundRect(1, 2, canvas.width - 2, 40, 9);
    pen.fill();
    pen.fillStyle = colour;
    pen.fillText(text, 12, 23);
    const sprite = new Sprite(new SpriteMaterial({
      map: new CanvasTexture(canvas), depthWrite: false, transparent: true, sizeAttenuation: false,
    }));
    sprite.position.set(...at);
    sprite.userData.aspect = canvas.width / canvas.height;
    sprite.renderOrder = 110;
    this.group.add(sprite);
  }

  /**
   * Fade labels with distance, scale and stack them.
   * @param {import("../../vendor/three.js").PerspectiveCamera} camera
   * @param {Vector3} eye
   * @param {number} farthest_m
   * @param {number} pixel_m width of a pixel at a distance of 1 m
   */
  update(camera, eye, farthest_m, pixel_m) {
    /** @type {{label: Sprite, range: number, box: Box}[]} */
    const visible = [];
    for (const label of /** @type {Sprite[]} */ (this.group.children)) {
      const range = label.position.distanceTo(eye);
      scratch.copy(label.position).applyMatrix4(camera.matrixWorldInverse);
      label.visible = range < farthest_m && scratch.z < -0.1;
      if (!label.visible) continue;
      label.material.opacity = Math.min(1, 2 * (1 - range / farthest_m));
      const height = HEIGHT_PX * pixel_m;
      label.scale.set(height * label.userData.aspect, height, 1);
      const scale = -1 / scratch.z / pixel_m;
      visible.push({ label, range, box: {
        x: scratch.x * scale, y: scratch.y * scale, width: HEIGHT_PX * label.userData.aspect, height: HEIGHT_PX,
      } });
    }
    visible.sort((a, b) => a.range - b.range);
    const up = stackOffsets(visible.map(({ box }) => box));
    visible.forEach(({ label }, i) => label.center.set(0.5, 0.5 - up[i] / HEIGHT_PX));
  }
}

const scratch = new Vector3();
