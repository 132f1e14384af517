"""Training of pilots: tasks, conditions, scoring of attempts, and results per pilot."""
