"""The way every tool call takes: names, limits, arguments, the handler, bounds, the record."""
