"""DIS PDUs as data classes, and their encoding to bytes."""
