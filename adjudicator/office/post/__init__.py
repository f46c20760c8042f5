"""Play by mail: what comes in is routed and answered, what goes out is queued, and `tick` does what is due."""
