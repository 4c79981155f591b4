"""The check of the processor that importing the core begins with."""

import pytest

from banqi.core import check_processor


@pytest.mark.parametrize(("needed", "present"), [(0, 0), (0, 3), (2, 2), (2, 3), (3, 3)])
def test_processor_that_has_the_level_passes(needed: int, present: int) -> None:
    check_processor(needed=needed, present=present)


@pytest.mark.parametrize(("needed", "present", "switch"), [(3, 2, "BANQI_ISA=v2"), (3, 0, "BANQI_ISA=base")])
def test_processor_that_lacks_the_level_is_told_in_one_line(needed: int, present: int, switch: str) -> None:
    with pytest.raises(ImportError) as caught:
        check_processor(needed=needed, present=present)
    text = str(caught.value)
    assert f"x86-64-v{needed}" in text
    assert switch in text
    assert "\n" not in text
