"""The 68 equations of chapter VI, compared with the engine."""
