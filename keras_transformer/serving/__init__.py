"""A trained translator in production: exported for TensorFlow Serving, and asked as a client."""
