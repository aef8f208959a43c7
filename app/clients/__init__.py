"""The assistants on this computer: where their configuration is, how to register with them, and whether it works."""
