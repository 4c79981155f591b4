"""The rules page in plain Python: slow, obvious, and independent of the engine that it judges."""
