"""Orders to a session: one table for page, instructor and other programs."""
