// Words in the picture: each stands at its place in the water, at one size, and none over another.
import { CanvasTexture, Group, Sprite, SpriteMaterial, Vector3 } from "../../vendor/three.js";

/** @typedef {[number, number, number]} Vector */
/** @typedef {{x: number, y: number, width: number, height: number}} Box middle, y upwards */

const HIGH_PIXELS = 26; // the line of text, at any distance

/**
 * How far up each box has to go so that none lies over another. The first ones keep their place.
 * @param {Box[]} boxes
 * @returns {number[]}
 */
export function stacked(boxes) {
  /** @type {Box[]} */
  const placed = [];
  return boxes.map((box) => {
    const at = { ...box };
    // from below upwards, so that one pass finds the first gap
    for (const other of [...placed].sort((a, b) => a.y - b.y)) {
      const [aside, above] = [Math.abs(at.x - other.x), Math.abs(at.y - other.y)];
      if (aside >= (at.width + other.width) / 2 || above >= (at.height + other.height) / 2) continue;
      at.y = other.y + (at.height + other.height) / 2;
    }
    placed.push(at);
    return at.y - box.y;
  });
}

export class Labels {
  constructor() {
    this.group = new Group();
  }

  clear() {
    for (const label of /** @type {Sprite[]} */ ([...this.group.children])) {
      label.material.map?.dispose();
      label.material.dispose();
      this.group.remove(label);
    }
  }

  /**
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
    sprite.userData.shape = canvas.width / canvas.height;
    sprite.renderOrder = 110;
    this.group.add(sprite);
  }

  /**
   * @param {import("../../vendor/three.js").PerspectiveCamera} camera
   * @param {Vector3} eye
   * @param {number} farthest_m
   * @param {number} pixel_m width of a pixel at a distance of 1 m
   */
  update(camera, eye, farthest_m, pixel_m) {
    /** @type {{label: Sprite, range: number, box: Box}[]} */
    const seen = [];
    for (const label of /** @type {Sprite[]} */ (this.group.children)) {
      const range = label.position.distanceTo(eye);
      scratch.copy(label.position).applyMatrix4(camera.matrixWorldInverse);
      label.visible = range < farthest_m && scratch.z < -0.1;
      if (!label.visible) continue;
      label.material.opacity = Math.min(1, 2 * (1 - range / farthest_m));
      const high = HIGH_PIXELS * pixel_m;
      label.scale.set(high * label.userData.shape, high, 1);
      const scale = -1 / scratch.z / pixel_m;
      seen.push({ label, range, box: {
        x: scratch.x * scale, y: scratch.y * scale, width: HIGH_PIXELS * label.userData.shape, height: HIGH_PIXELS,
      } });
    }
    seen.sort((a, b) => a.range - b.range);
    const up = stacked(seen.map(({ box }) => box));
    seen.forEach(({ label }, i) => label.center.set(0.5, 0.5 - up[i] / HIGH_PIXELS));
  }
}

const scratch = new Vector3();
