"""Pauses of the garbage collector."""

import gc

import pytest

from service.collecting import without_collection


def test_nothing_is_collected_until_all_pauses_have_ended() -> None:
    assert gc.isenabled()
    with without_collection():
        with without_collection():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_a_pause_ends_with_an_error() -> None:
    with pytest.raises(ZeroDivisionError), without_collection():
        raise ZeroDivisionError
    assert gc.isenabled()
