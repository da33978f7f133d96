"""Run directories: settings, subword models and checkpoints."""
