"""The sea of ArduPilot's ArduSub: physics backend of its JSON interface for programs in the loop."""
