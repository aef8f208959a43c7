"""The setup at the first start: five steps that can be skipped."""
