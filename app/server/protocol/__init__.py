"""The MCP side: one server object with its instructions, resources, prompts and notifications."""
