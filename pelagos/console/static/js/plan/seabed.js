// Draws a seabed grid from above: shading by depth and contour lines, both computed once.
import { floats } from "./outline.js";
import { roundStep } from "./projection.js";

/** @typedef {import("../types.js").GridSeabed} GridSeabed */
/** @typedef {import("./projection.js").Projection} Projection */
/** @typedef {[number, number, number, number]} Segment north, east, north, east */

const MOST_CELLS = 160; // along a side, for contours
const CONTOURS = 10; // about so many levels

/**
 * The segments of one contour in the cells of a grid: marching squares, with each cell as two triangles so that no cell
 * is ambiguous.
 * @param {GridSeabed} grid
 * @param {ArrayLike<number>} depths
 * @param {number} level
 * @param {number} stride
 * @returns {Segment[]}
 */
export function contour(grid, depths, level, stride = 1) {
  /** @type {Segment[]} */
  const out = [];
  /** @param {number} row @param {number} column */
  const corner = (row, column) => [
    grid.north0_m + row * grid.step_north_m,
    grid.east0_m + column * grid.step_east_m,
    depths[row * grid.columns + column],
  ];
  for (let row = 0; row + stride < grid.rows; row += stride) {
    for (let column = 0; column + stride < grid.columns; column += stride) {
      const a = corner(row, column);
      const b = corner(row, column + stride);
      const c = corner(row + stride, column + stride);
      const d = corner(row + stride, column);
      for (const triangle of [[a, b, c], [a, c, d]]) {
        const ends = [];
        for (let side = 0; side < 3; side += 1) {
          const from = triangle[side];
          const to = triangle[(side + 1) % 3];
          if (from[2] < level !== to[2] < level) {
            const share = (level - from[2]) / (to[2] - from[2]);
            ends.push(from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1]));
          }
        }
        if (ends.length === 4) out.push(/** @type {Segment} */ (ends));
      }
    }
  }
  return out;
}

/** The shading and the contours of a grid of depths. */
export class SeabedShade {
  /** @param {GridSeabed} grid */
  constructor(grid) {
    this.grid = grid;
    const depths = floats(grid.depths);
    let least = Infinity;
    let most = -Infinity;
    for (const depth of depths) {
      least = Math.min(least, depth);
      most = Math.max(most, depth);
    }
    this.picture = picture(grid, depths, least, most);
    const stride = Math.max(1, Math.ceil(Math.max(grid.rows, grid.columns) / MOST_CELLS));
    const step = most > least ? roundStep((most - least) / CONTOURS) : 1;
    this.step = step;
    /** @type {Segment[]} */
    this.lines = [];
    for (let level = Math.ceil(least / step) * step; level < most; level += step) {
      // A level equal to the depth of corners would give segments of no length, so it is moved a little.
      this.lines.push(...contour(grid, depths, level + 1e-6 * step, stride));
    }
  }

  /**
   * @param {CanvasRenderingContext2D} pen
   * @param {Projection} projection
   */
  draw(pen, projection) {
    const { grid } = this;
    const o = projection.screen(grid.north0_m, grid.east0_m);
    const e = projection.screen(grid.north0_m, grid.east0_m + grid.step_east_m);
    const n = projection.screen(grid.north0_m + grid.step_north_m, grid.east0_m);
    if (this.picture) {
      pen.save();
      pen.transform(e[0] - o[0], e[1] - o[1], n[0] - o[0], n[1] - o[1], o[0], o[1]);
      pen.globalAlpha = 0.5;
      pen.drawImage(this.picture, -0.5, -0.5); // a depth is at the middle of its pixel
      pen.restore();
    }
    pen.strokeStyle = "rgb(157 177 189 / 35%)";
    pen.lineWidth = 1;
    pen.beginPath();
    for (const [n0, e0, n1, e1] of this.lines) {
      pen.moveTo(...projection.screen(n0, e0));
      pen.lineTo(...projection.screen(n1, e1));
    }
    pen.stroke();
  }
}

/**
 * A picture with one pixel for each depth, dark for deep and light for shallow; null without a document.
 * @param {GridSeabed} grid
 * @param {Float32Array} depths
 * @param {number} least
 * @param {number} most
 */
function picture(grid, depths, least, most) {
  if (typeof document === "undefined") return null;
  const canvas = document.createElement("canvas");
  canvas.width = grid.columns;
  canvas.height = grid.rows;
  const pen = canvas.getContext("2d");
  if (!pen) return null;
  const image = pen.createImageData(grid.columns, grid.rows);
  for (let at = 0; at < depths.length && 4 * at < image.data.length; at += 1) {
    const high = most > least ? (most - depths[at]) / (most - least) : 0.5;
    image.data.set([12 + 60 * high, 34 + 62 * high, 48 + 50 * high, 255], 4 * at);
  }
  pen.putImageData(image, 0, 0);
  return canvas;
}
