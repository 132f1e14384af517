// Types of the messages of the server and of the data that modules of the page exchange. No code.
// Names carry their unit; world axes are north, east, down; body axes forward, starboard, down.
export {};

/** @typedef {[number, number, number]} Vector */
/** @typedef {[number, number, number, number]} Quaternion scalar first, body to world */

/**
 * The state at one time, as the views read it. A missing or unknown column is NaN.
 * @typedef {object} Sample
 * @property {number} time simulated time, s
 * @property {number} seq
 * @property {(name: string) => number} get
 */

/**
 * A decoded binary snapshot.
 * @typedef {object} Snapshot
 * @property {number} seq
 * @property {number} ack sequence number of the last input that was applied
 * @property {number} time simulated time, s
 * @property {number} echo the `t` of that input, ms of the sender's clock
 * @property {Float32Array} values in the order of hello.columns
 */

/**
 * @typedef {object} Hello
 * @property {"hello"} type
 * @property {number} version
 * @property {"live" | "replay"} mode
 * @property {string} you
 * @property {string[]} columns
 * @property {number} rate_hz
 * @property {number} snapshot_hz
 * @property {SourceHello} source
 */

/**
 * @typedef {object} SourceHello
 * @property {string} [mode]
 * @property {VehicleHello} vehicle
 * @property {SceneHello} scene
 * @property {Mark[]} [marks]
 * @property {Mark[]} [vehicle_marks] in body axes
 * @property {Vector[]} [waypoints]
 * @property {TaskHello | null} [task]
 * @property {TaskChoice[]} [tasks]
 * @property {Conditions} [conditions]
 * @property {FaultChoice[]} [faults]
 * @property {ActingFault[]} [faults_acting]
 * @property {Settings} [settings]
 * @property {string} [pilot_name]
 * @property {string | null} [recording]
 * @property {number} [duration_s] replay only
 * @property {EventMessage[]} [events] replay only: all of them, with their times
 */

/**
 * @typedef {object} VehicleHello
 * @property {string} key
 * @property {string} name
 * @property {string} [class]
 * @property {number} length_m
 * @property {string[]} axes sticks that have an effect
 * @property {string[]} can holds that the vehicle has
 * @property {{name: string, position_m: Vector, direction: Vector}[]} thrusters
 * @property {{name: string, limit_deg: number}[]} surfaces
 * @property {number | null} [depth_rating_m]
 * @property {boolean} has_tether
 * @property {boolean} has_battery
 * @property {CameraHello[]} cameras
 * @property {LampHello[]} lamps
 * @property {Vector | null} [fairlead_m] where the tether is fixed
 * @property {Skin | null} [skin]
 */

/** @typedef {Record<string, any> & {condition_sets?: Record<string, Conditions>}} Settings */
/** @typedef {{parts: SkinPart[]}} Skin in body axes, metres; triangles counter-clockwise from outside */

/**
 * One part of a skin. A thruster has a name, a position and a direction. A fin turns about `axis` through `hinge_m` by
 * `gain` times the angle of its surface.
 * @typedef {object} SkinPart
 * @property {"hull" | "float" | "frame" | "thruster" | "fin" | "camera" | "lamp"} kind
 * @property {string} colour
 * @property {Mesh} mesh
 * @property {string} [thruster]
 * @property {Vector} [position_m]
 * @property {Vector} [direction]
 * @property {string | null} [surface]
 * @property {Vector} [hinge_m]
 * @property {Vector} [axis]
 * @property {number} [gain]
 * @property {string} [camera]
 * @property {string} [lamp]
 */

/**
 * @typedef {object} CameraHello
 * @property {string} name
 * @property {Vector} position_m
 * @property {number} pan_deg
 * @property {number} tilt_deg
 * @property {[number, number]} pan_limit_deg
 * @property {[number, number]} tilt_limit_deg
 * @property {number} fov_deg horizontal
 * @property {number} zoom_most
 * @property {number} [rate_deg_s] of pan and tilt at full input
 */

/**
 * @typedef {object} LampHello
 * @property {string} [name]
 * @property {Vector} position_m
 * @property {Vector} direction
 * @property {number} beam_deg
 * @property {number} lumens
 */

/** @typedef {{positions: string, indices: string}} Mesh base64 of float32 xyz triples and of uint32 triples */

/**
 * @typedef {object} SceneHello
 * @property {string} name
 * @property {number | null} depth_m
 * @property {boolean} surface
 * @property {number} visibility_m
 * @property {number} [attenuation_1_m] light fades as exp(-c r)
 * @property {[number, number, number]} [water_colour] red, green, blue, 0..1
 * @property {string[]} [notes]
 * @property {Wave[]} waves
 * @property {Structure[]} structures
 * @property {Seabed | null} seabed
 * @property {number} extent_m
 */

/**
 * @typedef {object} Wave
 * @property {number} amplitude_m
 * @property {number} wave_number_1_m
 * @property {number} frequency_rad_s
 * @property {number} to_rad
 * @property {number} phase_rad
 */

/**
 * @typedef {object} Structure
 * @property {number} index
 * @property {string} name
 * @property {"box" | "cylinder" | "sphere" | "plane" | "mesh"} kind
 * @property {Vector} center_n
 * @property {number[]} axes_n nine, row-major, own axes to world
 * @property {Vector} half_m
 * @property {string | null} [colour]
 * @property {Mesh} [mesh]
 */

/**
 * @typedef {object} FlatSeabed
 * @property {"flat"} kind
 * @property {number} depth_m
 */

/**
 * @typedef {object} GridSeabed
 * @property {"grid"} kind
 * @property {number} north0_m
 * @property {number} east0_m
 * @property {number} step_north_m
 * @property {number} step_east_m
 * @property {number} rows along north
 * @property {number} columns along east
 * @property {string} depths base64 of float32, row by row
 * @property {"level" | "slope"} [outside] depth beyond the grid: that of its edge, or extrapolated with the slope there
 */

/** @typedef {FlatSeabed | GridSeabed} Seabed */

/**
 * A shape that a task shows. Its kind determines which of the other keys it has.
 * @typedef {object} Mark
 * @property {"triangle" | "spot" | "gate" | "ring" | "line" | "point"} kind
 * @property {Vector[]} [points]
 * @property {Vector} [center]
 * @property {Vector} [axis]
 * @property {Vector} [normal]
 * @property {number} [radius_m]
 * @property {string} [colour]
 * @property {string} [label]
 */

/** @typedef {{name: string, title: string, summary?: string}} TaskChoice */

/**
 * @typedef {object} TaskHello
 * @property {string} name
 * @property {string} title
 * @property {string} [summary]
 * @property {string} [briefing]
 * @property {string[]} [hidden] names of structures that the pilot has to find
 */

/**
 * The conditions of a training task, as in pelagos/training/conditions.py. Other keys are passed on unchanged.
 * @typedef {Record<string, any> & {
 *   top_view?: boolean, camera?: boolean, image_delay_s?: number, frame_limit_hz?: number | null
 * }} Conditions
 */

/** @typedef {{name: string, type: string, choices?: (string | number)[], default?: any}} FaultKey */
/** @typedef {{kind: string, about?: string, keys: FaultKey[]}} FaultChoice */
/** @typedef {{id: string | number, text: string, can_end?: boolean}} ActingFault */

/**
 * @typedef {object} EventMessage
 * @property {"event"} type
 * @property {number} time_s
 * @property {string} kind
 * @property {string} text
 * @property {number} [north_m]
 * @property {number} [east_m]
 * @property {number} [depth_m]
 * @property {number} [speed_m_s]
 * @property {string} [with]
 * @property {ActingFault[]} [faults_acting] all acting faults, if the event changed them
 */

/**
 * @typedef {object} StatusMessage
 * @property {"status"} type
 * @property {"compiling" | "ready" | "failed" | "ended"} phase
 * @property {string} text
 * @property {number} [compiling_s]
 */

/** @typedef {{id: string, name: string, role: string}} Client */

/**
 * @typedef {object} RosterMessage
 * @property {"roster"} type
 * @property {Client[]} clients
 * @property {string | null} pilot
 * @property {string | null} instructor
 * @property {SeatRequest[]} requests
 */

/** @typedef {{id: string, role: string, left_s?: number}} SeatRequest left_s: until it is granted automatically */
/** @typedef {{type: "refused", order: string, text: string}} RefusedMessage */
/** @typedef {Record<string, any> & {type: "result"}} ResultMessage */
/** @typedef {{type: "pong", t: number}} PongMessage */
/** @typedef {{type: "contacts", time_s: number, contacts: Contact[]}} ContactsMessage positions at `time_s` */

/**
 * A vehicle that another program reports.
 * @typedef {object} Contact
 * @property {string} key
 * @property {string} name
 * @property {string} kind such as "ship", "submarine", "ROV"
 * @property {number} length_m
 * @property {number} beam_m
 * @property {number} height_m
 * @property {Vector} position_m
 * @property {Quaternion} quaternion
 * @property {Vector} velocity_m_s north, east, down
 * @property {number} received_s simulated time of the last report
 * @property {number | null} expires_s simulated time of its removal if no further report arrives
 */

/**
 * Counts of received, sent and dropped messages by link, and in `dropped` why a link was closed.
 * @typedef {object} LinksMessage
 * @property {"links"} type
 * @property {Record<string, Record<string, number>>} links
 * @property {Record<string, string>} [dropped]
 */

/**
 * @typedef {Hello | StatusMessage | EventMessage | RosterMessage | RefusedMessage | ResultMessage | PongMessage
 *   | ContactsMessage | LinksMessage} ServerMessage
 */

/**
 * Stick positions, each -1..1: surge ahead, sway to starboard, heave down, roll starboard side down, pitch bow up,
 * yaw to starboard.
 * @typedef {{surge: number, sway: number, heave: number, roll: number, pitch: number, yaw: number}} Sticks
 */

/**
 * The present positions of all sticks and of the camera controls.
 * @typedef {object} Input
 * @property {Sticks} sticks
 * @property {number} pan rate, -1..1, positive to starboard
 * @property {number} tilt rate, -1..1, positive up
 * @property {number} zoom rate, -1..1, positive closer
 */

/** @typedef {Record<string, any> & {name: string}} Order */
