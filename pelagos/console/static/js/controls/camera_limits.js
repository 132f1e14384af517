// Reports pan, tilt or zoom inputs that the camera in use cannot follow, so that the pilot sees why nothing moves.

/** @typedef {import("../types.js").CameraHello} CameraHello */
/** @typedef {import("../types.js").Input} Input */

const DELIBERATE = 0.2; // of full input: less may be a stick that is not quite centred

/**
 * A sentence about the inputs that the camera cannot follow, or "" if it can follow all of them.
 * @param {CameraHello | undefined} camera
 * @param {Pick<Input, "pan" | "tilt" | "zoom">} input
 */
export function unsupportedText(camera, input) {
  if (!camera) return "";
  const fixed = (/** @type {[number, number]} */ [least, most]) => !(most > least);
  const unsupported = [];
  if (Math.abs(input.pan) > DELIBERATE && fixed(camera.pan_limit_deg)) unsupported.push("pan");
  if (Math.abs(input.tilt) > DELIBERATE && fixed(camera.tilt_limit_deg)) unsupported.push("tilt");
  if (Math.abs(input.zoom) > DELIBERATE && !(camera.zoom_most > 1)) unsupported.push("zoom");
  return unsupported.length > 0 ? `the camera ${camera.name} cannot ${unsupported.join(" or ")}` : "";
}

/** Shows the sentence once for each unsupported input, not at every reading of the sticks. */
export class CameraLimits {
  /** @param {(text: string) => void} show */
  constructor(show) {
    this.show = show;
    this.lastText = "";
  }

  /**
   * Check the present input.
   * @param {CameraHello | undefined} camera
   * @param {Input} input
   */
  check(camera, input) {
    const text = unsupportedText(camera, input);
    if (text && text !== this.lastText) this.show(text);
    this.lastText = text;
  }
}
