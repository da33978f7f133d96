"""The parts of a network, and the tensors that they compute for a sentence."""
