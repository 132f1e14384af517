"""The rosbridge protocol: server, messages, commands."""
