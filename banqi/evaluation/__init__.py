"""What positions are worth without a search: the evaluation written by hand, and weights learned from games.

>>> from banqi.evaluation import Evaluation
>>> from banqi.rules import Rules
>>> Evaluation("handwritten").weights(Rules.parse("taiwan")) is None
True
"""

from banqi.evaluation.weights import HANDWRITTEN, LEARNED, Arrays, Evaluation, read_weights, write_weights

__all__ = ["HANDWRITTEN", "LEARNED", "Arrays", "Evaluation", "read_weights", "write_weights"]
