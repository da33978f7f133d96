"""TensorFlow Serving's REST interface: requests over HTTP, and validated answers."""
