"""Intel's oneDNN, which TensorFlow uses for matrix products on x86 processors."""

import os


def disable_onednn() -> None:
    """Use TensorFlow's own kernels instead of oneDNN, unless TF_ENABLE_ONEDNN_OPTS is set.

    They are faster for small matrices, as in a search with a shortlist, and slower for those of a
    whole vocabulary. The setting has no effect once TensorFlow is imported.
    """
    os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")
