// Converts the simulator's camera pose to a three.js camera. World axes are the same, camera axes are not.

/** @typedef {[number, number, number]} Vector */

/**
 * Vertical field of view from the horizontal one, rad. Zoom z makes the picture z times as large, which divides the
 * tangent of half the angle by z; dividing by the aspect ratio turns horizontal into vertical.
 * @param {number} fov_deg horizontal, without zoom
 * @param {number} zoom
 * @param {number} aspect width over height
 */
export function verticalField(fov_deg, zoom, aspect) {
  return 2 * Math.atan(Math.tan((fov_deg * Math.PI) / 360) / zoom / aspect);
}

/**
 * Place a three.js camera by a pose of frames.js. Its x, y, z are right, up, backwards: y_c, -z_c, -x_c.
 * @param {import("../../vendor/three.js").PerspectiveCamera} camera
 * @param {{place: Vector, axes: number[]}} pose
 */
export function applyPose(camera, pose) {
  const a = pose.axes;
  camera.position.set(...pose.place);
  camera.matrixWorld.set(
    a[1], -a[2], -a[0], pose.place[0],
    a[4], -a[5], -a[3], pose.place[1],
    a[7], -a[8], -a[6], pose.place[2],
    0, 0, 0, 1,
  );
  camera.quaternion.setFromRotationMatrix(camera.matrixWorld);
}

/**
 * Pixels of a point in the picture, or null if it is behind the camera. Royer 1985, 4.2.a with R30: from the centre,
 * a y_c / x_c to the right and a z_c / x_c down, where a is the focal length in pixels.
 * @param {import("../../vendor/three.js").PerspectiveCamera} camera
 * @param {Vector} point
 * @param {number} width
 * @param {number} height
 * @param {import("../../vendor/three.js").Vector3} scratch
 * @returns {[number, number] | null}
 */
export function pixelOf(camera, point, width, height, scratch) {
  scratch.set(...point).applyMatrix4(camera.matrixWorldInverse);
  if (scratch.z >= -1e-6) return null;
  scratch.applyMatrix4(camera.projectionMatrix);
  return [(0.5 + 0.5 * scratch.x) * width, (0.5 - 0.5 * scratch.y) * height];
}
