"""Record a flight, fly it again from its commands, play it back."""
