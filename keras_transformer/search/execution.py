"""The two ways to execute a search: by TensorFlow, or compiled by XLA."""

from typing import ClassVar

from keras_transformer.kernels.top_k import best_by_logit, best_by_probability
from keras_transformer.tensors import Tensor


class TensorFlowExecution:
    """Execution by TensorFlow: finished sources leave the batch, and caches may grow."""

    drops_finished: ClassVar[bool] = True

    def best_continuations(
        self, scores: Tensor, logits: Tensor, count: int
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Return the best continuations of each source's hypotheses, the best first.

        Args:
            scores: sums of log probabilities (n, k).
            logits: (n, k, V).
            count: number of continuations.

        Returns:
            The scores of the continuations, the indices of the hypotheses that they extend, and
            their last ids, each (n, count).
        """
        return best_by_probability(scores, logits, count)


class XlaExecution:
    """Execution by XLA: shapes are fixed, so finished sources stay in the batch."""

    drops_finished: ClassVar[bool] = False

    def best_continuations(
        self, scores: Tensor, logits: Tensor, count: int
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Return the best continuations, as `TensorFlowExecution.best_continuations` does."""
        return best_by_logit(scores, logits, count)
