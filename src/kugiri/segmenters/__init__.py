"""Where cutting is allowed: components that turn a corpus into `Boundaries`."""
