"""What happens inside a trained network, as arrays with labels, and pictures of it."""
