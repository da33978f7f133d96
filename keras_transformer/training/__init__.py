"""Training: the schedule, the loss, and the trainer that keeps a run directory."""
