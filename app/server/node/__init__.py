"""Node only: user sign-in, the endpoints for programs that joined its library, health and metrics."""
