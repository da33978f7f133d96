"""Training: the schedule, the objective, and the trainer that saves into a run directory."""
