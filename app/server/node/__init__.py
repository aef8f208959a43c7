"""What only a node has: people who sign in, the endpoints for programs that joined its library, health and metrics."""
