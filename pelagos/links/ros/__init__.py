"""Logs and live links for the tools of ROS: MCAP files, Foxglove, rosbridge; ENU and FLU at this border."""
