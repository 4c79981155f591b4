"""What positions are worth without a search: the evaluation written by hand, and weights learned from games."""

from banqi.evaluation.weights import HANDWRITTEN, LEARNED, weights_of

__all__ = ["HANDWRITTEN", "LEARNED", "weights_of"]
