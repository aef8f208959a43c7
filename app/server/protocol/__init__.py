"""The MCP side: one server object, its instructions, resources, prompts and notifications."""
