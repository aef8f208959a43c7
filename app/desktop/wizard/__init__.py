"""The set-up at the first start: five steps, each of which may be skipped. One file a step."""
