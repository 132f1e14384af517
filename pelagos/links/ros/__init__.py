"""ROS tools: MCAP files, a live server for Foxglove, and rosbridge; axes are converted to ENU and FLU here."""
