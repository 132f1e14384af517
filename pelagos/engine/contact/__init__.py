"""Contact in the kernel: shapes, distances, contact points, impulses."""
