"""Libraries that several people share, as a desktop that joined them sees them: over HTTPS, signed in as a person."""
