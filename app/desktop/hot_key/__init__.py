"""The global keyboard shortcut: valid keys, registration on each platform, and following the setting."""
