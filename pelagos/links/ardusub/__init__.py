"""Physics backend for ArduSub: ArduPilot software in the loop (SITL), connected by its JSON interface."""
