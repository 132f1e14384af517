"""The text of a vehicle file with nothing but a body, for tests that add to it."""

PLAIN = """
name = "Test body"
class = "test"
[body]
mass_kg = 100.0
neutral = true
inertia_kg_m2 = [2.0, 30.0, 31.0]
[geometry]
length_m = 2.0
"""
