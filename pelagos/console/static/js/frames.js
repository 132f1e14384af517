// Converts between quaternions (scalar first, Hamilton, body to world), rotation matrices and Euler angles zyx, and
// computes the pose of the camera.
// World axes north, east, down; body axes forward, starboard, down. Matrices are nine numbers, row-major.

/** @typedef {import("./types.js").Vector} Vector */
/** @typedef {import("./types.js").Quaternion} Quaternion */

export const DEG = Math.PI / 180;

/**
 * An angle wrapped to -180..180 deg, without 180 itself.
 * @param {number} degrees
 */
export function wrap180(degrees) {
  const shifted = (((degrees + 180) % 360) + 360) % 360;
  return shifted - 180;
}

/**
 * An angle wrapped to 0..360 deg, without 360 itself.
 * @param {number} degrees
 */
export function wrap360(degrees) {
  const wrapped = ((degrees % 360) + 360) % 360;
  return wrapped === 360 ? 0 : wrapped; // a tiny negative angle rounds to 360
}

/**
 * An angle interpolated between two others along the shorter arc, deg.
 * @param {number} from
 * @param {number} to
 * @param {number} share 0 at `from`, 1 at `to`
 */
export function betweenAngles(from, to, share) {
  return from + share * wrap180(to - from);
}

/**
 * An attitude interpolated between two others at a constant rate of rotation (Shoemake 1985):
 * sin((1-s)w)/sin w a + sin(s w)/sin w b, with cos w = a.b. q and -q are one attitude; the nearer of the two is used.
 * @param {Quaternion} a
 * @param {Quaternion} b
 * @param {number} share
 * @returns {Quaternion}
 */
export function slerp(a, b, share) {
  let dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
  const sign = dot < 0 ? -1 : 1;
  dot *= sign;
  let wa = 1 - share;
  let wb = share * sign;
  if (dot < 0.9999999) {
    // for smaller angles sin w loses digits, and linear interpolation differs by less than the precision of float32
    const angle = Math.acos(dot);
    const sine = Math.sin(angle);
    wa = Math.sin((1 - share) * angle) / sine;
    wb = (sign * Math.sin(share * angle)) / sine;
  }
  return normalized([
    wa * a[0] + wb * b[0], wa * a[1] + wb * b[1], wa * a[2] + wb * b[2], wa * a[3] + wb * b[3],
  ]);
}

/**
 * A quaternion scaled to unit length; the identity for zero length.
 * @param {Quaternion} q
 * @returns {Quaternion}
 */
export function normalized(q) {
  const size = Math.hypot(q[0], q[1], q[2], q[3]);
  return size > 0 ? [q[0] / size, q[1] / size, q[2] / size, q[3] / size] : [1, 0, 0, 0];
}

/**
 * The rotation matrix R_nb of a quaternion, from body to world components.
 * @param {Quaternion} q
 * @returns {number[]}
 */
export function matrixOfQuaternion(q) {
  const [w, x, y, z] = q;
  return [
    1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
    2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
    2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y),
  ];
}

/**
 * The rotation matrix R_nb = Rz(heading) Ry(pitch) Rx(roll) of Euler angles in deg.
 * @param {number} roll
 * @param {number} pitch
 * @param {number} heading
 * @returns {number[]}
 */
export function matrixOfEuler(roll, pitch, heading) {
  const [sr, cr] = [Math.sin(roll * DEG), Math.cos(roll * DEG)];
  const [sp, cp] = [Math.sin(pitch * DEG), Math.cos(pitch * DEG)];
  const [sh, ch] = [Math.sin(heading * DEG), Math.cos(heading * DEG)];
  return [
    ch * cp, ch * sp * sr - sh * cr, ch * sp * cr + sh * sr,
    sh * cp, sh * sp * sr + ch * cr, sh * sp * cr - ch * sr,
    -sp, cp * sr, cp * cr,
  ];
}

/**
 * The quaternion of Euler angles zyx in deg.
 * @param {number} roll
 * @param {number} pitch
 * @param {number} heading
 * @returns {Quaternion}
 */
export function quaternionOfEuler(roll, pitch, heading) {
  const [sr, cr] = [Math.sin((roll * DEG) / 2), Math.cos((roll * DEG) / 2)];
  const [sp, cp] = [Math.sin((pitch * DEG) / 2), Math.cos((pitch * DEG) / 2)];
  const [sh, ch] = [Math.sin((heading * DEG) / 2), Math.cos((heading * DEG) / 2)];
  return [
    cr * cp * ch + sr * sp * sh, sr * cp * ch - cr * sp * sh,
    cr * sp * ch + sr * cp * sh, cr * cp * sh - sr * sp * ch,
  ];
}

/**
 * Roll, pitch and heading of R_nb in deg. Near pitch +-90 deg only their combination is determined: roll is then 0.
 * @param {number[]} m
 * @returns {Vector}
 */
export function eulerOfMatrix(m) {
  const sine = Math.min(1, Math.max(-1, -m[6]));
  const pitch = Math.asin(sine) / DEG;
  if (Math.abs(sine) > 0.9999999) return [0, pitch, wrap360(Math.atan2(-m[1], m[4]) / DEG)];
  return [Math.atan2(m[7], m[8]) / DEG, pitch, wrap360(Math.atan2(m[3], m[0]) / DEG)];
}

/**
 * A vector rotated by a matrix: m v.
 * @param {number[]} m
 * @param {Vector | number[]} v
 * @returns {Vector}
 */
export function turned(m, v) {
  return [
    m[0] * v[0] + m[1] * v[1] + m[2] * v[2],
    m[3] * v[0] + m[4] * v[1] + m[5] * v[2],
    m[6] * v[0] + m[7] * v[1] + m[8] * v[2],
  ];
}

/**
 * A vector rotated by the inverse of a matrix: m^T v.
 * @param {number[]} m
 * @param {Vector | number[]} v
 * @returns {Vector}
 */
export function turnedBack(m, v) {
  return [
    m[0] * v[0] + m[3] * v[1] + m[6] * v[2],
    m[1] * v[0] + m[4] * v[1] + m[7] * v[2],
    m[2] * v[0] + m[5] * v[1] + m[8] * v[2],
  ];
}

/**
 * The matrix product a b.
 * @param {number[]} a
 * @param {number[]} b
 * @returns {number[]}
 */
export function product(a, b) {
  const out = [];
  for (let row = 0; row < 3; row += 1) {
    for (let column = 0; column < 3; column += 1) {
      out.push(a[3 * row] * b[column] + a[3 * row + 1] * b[3 + column] + a[3 * row + 2] * b[6 + column]);
    }
  }
  return out;
}

/**
 * The matrix from body to camera components (Royer 1985, 4.2.e): pan about body z, positive to starboard, then tilt
 * about the panned y, positive up; both in deg. Camera x is the optical axis, y right, z down.
 * @param {number} pan
 * @param {number} tilt
 * @returns {number[]}
 */
export function cameraFromBody(pan, tilt) {
  const [sa, ca] = [Math.sin(tilt * DEG), Math.cos(tilt * DEG)];
  const [sb, cb] = [Math.sin(pan * DEG), Math.cos(pan * DEG)];
  return [ca * cb, ca * sb, -sa, -sb, cb, 0, sa * cb, sa * sb, ca];
}

/**
 * The pose of the camera in the world: its position, and the matrix from camera to world components (columns: optical
 * axis, right, down).
 * @param {Vector} place of the body's origin, north, east, down
 * @param {Quaternion} attitude
 * @param {Vector} mount of the camera in the body
 * @param {number} pan deg
 * @param {number} tilt deg
 * @returns {{place: Vector, axes: number[]}}
 */
export function cameraPose(place, attitude, mount, pan, tilt) {
  const body = matrixOfQuaternion(attitude);
  const arm = turned(body, mount);
  return {
    place: [place[0] + arm[0], place[1] + arm[1], place[2] + arm[2]],
    axes: product(body, transposed(cameraFromBody(pan, tilt))),
  };
}

/**
 * The transpose of a matrix.
 * @param {number[]} m
 * @returns {number[]}
 */
export function transposed(m) {
  return [m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]];
}

/**
 * A point of the world in camera components: along the optical axis, to the right, down.
 * @param {{place: Vector, axes: number[]}} pose
 * @param {Vector} point
 * @returns {Vector}
 */
export function inCamera(pose, point) {
  return turnedBack(pose.axes, [
    point[0] - pose.place[0], point[1] - pose.place[1], point[2] - pose.place[2],
  ]);
}
