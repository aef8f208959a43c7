"""The MCP server: the tools that assistants call, and the HTTP endpoint."""
