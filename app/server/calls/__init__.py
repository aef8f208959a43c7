"""The steps of every tool call: names, limits, arguments, handler, result size, record."""
