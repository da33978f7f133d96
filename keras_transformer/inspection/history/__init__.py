"""The course of a training, from the logs of its run."""
