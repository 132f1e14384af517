// A canvas that keeps the size of its place on the page, in device pixels, and is drawn on in CSS pixels.

/** @typedef {{pen: CanvasRenderingContext2D, width: number, height: number}} Surface */

const FINEST = 2; // device pixels per CSS pixel: more costs time and cannot be seen

/**
 * The canvas cleared and ready, or null while it has no size or no context.
 * @param {HTMLCanvasElement} canvas
 * @returns {Surface | null}
 */
export function surfaceOf(canvas) {
  const width = canvas.clientWidth;
  const height = canvas.clientHeight;
  if (width < 2 || height < 2) return null;
  const ratio = Math.min(FINEST, globalThis.devicePixelRatio || 1);
  const across = Math.round(width * ratio);
  const down = Math.round(height * ratio);
  if (canvas.width !== across || canvas.height !== down) {
    canvas.width = across;
    canvas.height = down;
  }
  const pen = canvas.getContext("2d");
  if (!pen) return null;
  pen.setTransform(across / width, 0, 0, down / height, 0, 0);
  pen.clearRect(0, 0, width, height);
  return { pen, width, height };
}
