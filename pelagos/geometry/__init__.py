"""Geometry shared by vehicles and worlds: convex forms, points on their surface, triangle meshes, distance grids."""
