"""The MCP server: what assistants call, and the endpoint that they reach it by."""

from app.memory import skip_initialisers

# Their client and second kind of server, which nothing here uses: a quarter of a second of the start and 11 MB.
skip_initialisers("mcp", "mcp.server")
