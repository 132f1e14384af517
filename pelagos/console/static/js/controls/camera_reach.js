// What a camera cannot do, said when it is asked for: a key that does nothing must say why.

/** @typedef {import("../types.js").CameraHello} CameraHello */
/** @typedef {import("../types.js").Input} Input */

const ASKED = 0.2; // of full input

/**
 * Why nothing moves, or nothing if the camera can do it.
 * @param {CameraHello | undefined} camera
 * @param {Pick<Input, "pan" | "tilt" | "zoom">} input
 */
export function cannotDo(camera, input) {
  if (!camera) return "";
  const fixed = (/** @type {[number, number]} */ [least, most]) => !(most > least);
  const what = [];
  if (Math.abs(input.pan) > ASKED && fixed(camera.pan_limit_deg)) what.push("pan");
  if (Math.abs(input.tilt) > ASKED && fixed(camera.tilt_limit_deg)) what.push("tilt");
  if (Math.abs(input.zoom) > ASKED && !(camera.zoom_most > 1)) what.push("zoom");
  return what.length > 0 ? `the camera ${camera.name} cannot ${what.join(" or ")}` : "";
}

/** Says it once each time it is asked for. */
export class CameraReach {
  /** @param {(text: string) => void} say */
  constructor(say) {
    this.say = say;
    this.said = "";
  }

  /**
   * @param {CameraHello | undefined} camera
   * @param {Input} input
   */
  watch(camera, input) {
    const text = cannotDo(camera, input);
    if (text && text !== this.said) this.say(text);
    this.said = text;
  }
}
