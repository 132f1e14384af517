"""The robot link: a robot program sends orders and receives states and readings, as JSON lines over TCP or UDP."""
