"""The bundle that Claude Desktop installs with a double click."""
