"""The text of a vehicle file with nothing but a body, whole and in parts, for tests that add to it."""

HEAD = """
name = "Test body"
class = "test"
"""
BODY = """
[body]
mass_kg = 100.0
neutral = true
inertia_kg_m2 = [2.0, 30.0, 31.0]
"""
LENGTH = """
[geometry]
length_m = 2.0
"""
PLAIN = HEAD + BODY + LENGTH
