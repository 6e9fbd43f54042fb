"""The names of the seats and spaces of tic-tac-toe."""

SEATS = ("cross", "nought")
SPACES = tuple(f"{column}{row}" for row in "123" for column in "abc")
