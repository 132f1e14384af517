"""Water around the vehicle: currents, waves, and the submerged part of a hull."""
