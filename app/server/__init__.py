"""The MCP server: what assistants call, and the endpoint that they reach it by."""
