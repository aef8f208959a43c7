"""The page renderer: a separate process with Qt's browser engine. Optional part of the installation."""
