// Prepares a canvas for drawing: matches its resolution to its size on the page, so that code draws in CSS pixels.

/** @typedef {{pen: CanvasRenderingContext2D, width: number, height: number}} PreparedCanvas size in CSS pixels */

const MOST_RATIO = 2; // device pixels per CSS pixel: more costs time without a visible gain

/**
 * Clear a canvas and scale its context to CSS pixels; null while it has no size or no context.
 * @param {HTMLCanvasElement} canvas
 * @returns {PreparedCanvas | null}
 */
export function prepareCanvas(canvas) {
  const width = canvas.clientWidth;
  const height = canvas.clientHeight;
  if (width < 2 || height < 2) return null;
  const ratio = Math.min(MOST_RATIO, globalThis.devicePixelRatio || 1);
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
