"""Contact of a hull with seabed and structures: shapes, distances, contact points, impulses."""
