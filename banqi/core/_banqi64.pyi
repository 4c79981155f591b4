"""The compiled 8 x 8 board."""

from banqi.core.face import COPIES as COPIES
from banqi.core.face import EMPTY as EMPTY
from banqi.core.face import FEATURES as FEATURES
from banqi.core.face import HIDDEN as HIDDEN
from banqi.core.face import IDENTITIES as IDENTITIES
from banqi.core.face import LARGEST_WEIGHT as LARGEST_WEIGHT
from banqi.core.face import MAX_DEPTH as MAX_DEPTH
from banqi.core.face import PROVEN as PROVEN
from banqi.core.face import SQUARES as SQUARES
from banqi.core.face import START as START
from banqi.core.face import UNIT as UNIT
from banqi.core.face import RuleTable as RuleTable
from banqi.core.face import Searcher as Searcher
from banqi.core.face import State as State
from banqi.core.face import Weights as Weights
from banqi.core.face import features as features
