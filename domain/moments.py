"""Times as text (RFC 3339), read and brought to UTC without a clock.

>>> utc("2026-11-14T23:30:00.500000+01:00")
'2026-11-14T22:30:00.5Z'
>>> utc("2026-02-29T12:00:00Z")
Traceback (most recent call last):
ValueError: no such day
>>> trimmed("2026-11-14T22:30:00.500000Z")
'2026-11-14T22:30:00.5Z'
"""

import re
from functools import lru_cache
from typing import Final

_MOMENT: Final = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?(?:[Zz]|([+-])(\d\d):(\d\d))", re.ASCII
)
_RECORDED: Final = re.compile(r"(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{6}Z", re.ASCII)
_DAYS: Final = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_MINUTES: Final = 24 * 60


def utc(text: str) -> str:
    """A time in UTC, with as much of its fraction as is not zero; raise ValueError."""
    found = _MOMENT.fullmatch(text)
    if found is None:
        raise ValueError("no time")
    year, month, day, hour, minute, second = map(int, found.groups()[:6])
    if not 1 <= month <= 12 or not 1 <= day <= _days_of(year, month) or year == 0:
        raise ValueError("no such day")
    if hour > 23 or minute > 59 or second > 59:
        raise ValueError("no such time of day")
    sign, hours, minutes = found.groups()[7:]
    if sign is not None:
        if int(hours) > 23 or int(minutes) > 59:
            raise ValueError("no such offset")
        shift = (int(hours) * 60 + int(minutes)) * (-1 if sign == "+" else 1)
        days, rest = divmod(hour * 60 + minute + shift, _MINUTES)
        hour, minute = divmod(rest, 60)
        year, month, day = _shifted(year, month, day, days)
    fraction = (found[7] or "").rstrip("0")
    return f"{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{fraction and '.'}{fraction}Z"


def trimmed(recorded: str) -> str:
    """A time as logs have it in the form of `utc`, without the zeros at its end."""
    return f"{recorded.rstrip('0Z').rstrip('.')}Z"


def is_recorded(value: object) -> bool:
    """Whether a value is a time as logs have it: in UTC, with six decimals."""
    found = _RECORDED.fullmatch(value) if isinstance(value, str) else None
    return found is not None and _is_day(found[1])


@lru_cache(maxsize=2**10)
def _is_day(text: str) -> bool:
    year, month, day = map(int, text.split("-"))
    return year > 0 and 1 <= month <= 12 and 1 <= day <= _days_of(year, month)


def _days_of(year: int, month: int) -> int:
    is_leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return _DAYS[month - 1] + (is_leap and month == 2)


def _shifted(year: int, month: int, day: int, days: int) -> tuple[int, int, int]:
    """The day before, the same one or the next."""
    day += days
    if day < 1:
        year, month = (year - 1, 12) if month == 1 else (year, month - 1)
        day = _days_of(year, month)
    elif day > _days_of(year, month):
        year, month, day = (year + 1, 1, 1) if month == 12 else (year, month + 1, 1)
    if not 1 <= year <= 9999:
        raise ValueError("no such year")
    return year, month, day
