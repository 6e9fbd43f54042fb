"""The cache of values that were used last."""

from service.cache import Cache


class Latest(Cache[str, int]):
    """Keeps the largest number under a key."""

    def _supersedes(self, value: int, before: int) -> bool:
        return value > before


def test_the_value_that_was_idle_longest_is_dropped() -> None:
    cache: Cache[str, str] = Cache(2)
    cache.keep("a", "first")
    cache.keep("b", "second")
    assert cache.find("a") == "first"
    cache.keep("c", "third")
    assert [cache.find(key) for key in "abc"] == ["first", None, "third"]
    assert len(cache) == 2


def test_the_limit_is_one_of_all_sizes_together() -> None:
    cache: Cache[str, bytes] = Cache(10, len)
    assert [cache.keep(key, bytes(4)) for key in "abc"] == [4, 8, 8]
    assert [cache.find(key) is None for key in "abc"] == [True, False, False]


def test_a_value_larger_than_the_limit_drops_no_other() -> None:
    cache: Cache[str, bytes] = Cache(10, len)
    cache.keep("a", bytes(10))
    cache.keep("b", bytes(11))
    assert (cache.find("a"), cache.find("b")) == (bytes(10), None)


def test_a_value_replaces_only_one_that_it_supersedes() -> None:
    plain, latest = Cache[str, int](3), Latest(3)
    for cache in (plain, latest):
        for value in (2, 3, 1):
            assert cache.keep("a", value) == 1
    assert (plain.find("a"), latest.find("a")) == (2, 3)
