"""Run background jobs: the queue, a single run, its progress and its end."""
