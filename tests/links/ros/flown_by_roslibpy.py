"""A client with roslibpy as a separate program, because its reactor runs until the process ends.

python flown_by_roslibpy.py PORT      prints one line of JSON: the data received
"""

import json
import sys
import threading
import time

import roslibpy

LIMIT_S = 60
ROOT = "/pelagos/bluerov2_heavy"


def main(port: int) -> None:
    seen: dict = {"odom": [], "static": []}
    ros = roslibpy.Ros("127.0.0.1", port)
    ros.run(timeout=LIMIT_S)
    roslibpy.ros.set_rosapi_timeout(LIMIT_S)
    topics = ros.get_topics()
    seen["topics"] = topics
    seen["type"] = ros.get_topic_type(f"{ROOT}/odom")

    def call(name, kind, **values):
        return dict(roslibpy.Service(ros, name, kind).call(roslibpy.ServiceRequest(values), timeout=LIMIT_S))

    seen["armed"] = call("/pelagos/arm", "std_srvs/SetBool", data=True)
    seen["mode"] = call("/pelagos/set_mode", "pelagos_msgs/SetMode", mode="depth_hold")
    seen["refused"] = call("/pelagos/set_mode", "pelagos_msgs/SetMode", mode="fly")
    odom = roslibpy.Topic(ros, f"{ROOT}/odom", "nav_msgs/Odometry")
    odom.subscribe(seen["odom"].append)
    static = roslibpy.Topic(ros, "/tf_static", "tf2_msgs/msg/TFMessage")
    static.subscribe(seen["static"].append)
    twist = roslibpy.Topic(ros, "/cmd_vel", "geometry_msgs/Twist")
    message = {"linear": {"x": 1.0, "y": 0.0, "z": 0.0}, "angular": {"x": 0.0, "y": 0.0, "z": 0.0}}
    moved = threading.Event()

    def far() -> bool:
        places = [odometry["pose"]["pose"]["position"] for odometry in list(seen["odom"])]
        return len(places) > 1 and abs(places[-1]["y"] - places[0]["y"]) > 1.0

    end = time.monotonic() + LIMIT_S
    while time.monotonic() < end and not moved.is_set():
        twist.publish(roslibpy.Message(message))
        time.sleep(0.05)
        if far():
            moved.set()
    seen["moved"] = moved.is_set()
    odom.unsubscribe()
    goal = roslibpy.Topic(ros, f"{ROOT}/goal_pose", "geometry_msgs/PoseStamped")
    pose = {"position": {"x": 0.0, "y": -20.0, "z": -45.0}, "orientation": {"x": 0.0, "y": 0.0, "z": 0.0, "w": 1.0}}
    goal.publish(roslibpy.Message({"header": {"frame_id": "map"}, "pose": pose}))
    seen["time"] = call("/rosapi/get_time", "rosapi/GetTime")
    seen["goal"] = call("/pelagos/hold", "pelagos_msgs/Hold", hold="level", on=True)  # answered behind the goal
    seen["n"], seen["odom"] = len(seen["odom"]), [seen["odom"][0], seen["odom"][-1]]
    ros.terminate()
    print(json.dumps(seen))


if __name__ == "__main__":
    main(int(sys.argv[1]))
