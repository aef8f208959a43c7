"""Requests of bridges, the command line and a second instance, separate from the protocol."""
