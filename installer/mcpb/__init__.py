"""The bundle for a double click in Claude Desktop."""
