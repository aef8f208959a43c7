"""What bridges, the command line and a second start ask of an instance, beside the protocol."""
