"""Scenes of the pictures, by page of the window."""
