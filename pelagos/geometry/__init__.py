"""Shapes shared by vehicles and worlds: convex forms, points on their skin, triangle meshes, distance grids."""
