"""What the tests of the examples share."""

import pytest
import tensorflow as tf


@pytest.fixture
def eager():
    """Tracing takes longer than the few steps of these tests."""
    tf.config.run_functions_eagerly(True)
    yield
    tf.config.run_functions_eagerly(False)
