"""The page renderer: a process of its own with the browser engine of Qt, which is an optional part of the installation."""
