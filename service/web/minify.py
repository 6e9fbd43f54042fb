"""Scripts and style sheets without comments and without the spaces that mean nothing.

Names stay as they are, so that what a browser reports can be found. Lines go: our scripts end every statement with a
semicolon or a brace, which the formatter sees to.
"""

import re

TEXT = r"(?:[^`\\$]|\\.|\$(?!\{))*(?:`|\$\{)"
"""A template up to its end, or to where an expression stands in it."""
TOKEN = re.compile(
    rf"""
      (?P<gap>(?:\s|//[^\n]*|/\*.*?\*/)+)
    | (?P<operand>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
    | (?P<word>[\w$\#@]+)
    | (?P<template>`{TEXT})
    | (?P<sign>.)
    """,
    re.VERBOSE | re.DOTALL,
)
REST_OF_TEMPLATE = re.compile(rf"\}}{TEXT}", re.DOTALL)
REGEX = re.compile(r"/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/\w*")
BEFORE_REGEX = frozenset("await case delete do else in instanceof new of return throw typeof void yield".split())
"""Words after which a slash begins a regular expression; after others, and after what closes, it divides."""
STAY_APART = re.compile(r"[\w$#@]{2}|\+\+|--|//")
"""The characters around a gap that would be read as one without it."""

STYLE_TOKEN = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?:\s|/\*.*?\*/)+""", re.DOTALL)
STYLE_SIGN = re.compile(r" ?([{};,>]) ?|(:) ")
"""Signs without spaces beside them; before a colon a space means a descendant."""


def minify_script(source: str) -> str:
    """A module without comments and needless spaces."""
    found: list[str] = []
    before, is_apart, at = "", False, 0
    braces: list[int] = []  # how many are open in each expression of a template
    while at < len(source):
        token = _token(source, at, before, is_in_template=bool(braces) and braces[-1] == 0)
        text, at = token[0], token.end()
        if token.lastgroup == "gap":
            is_apart = True
            continue
        if is_apart and STAY_APART.match(before[-1:] + text[0]):
            found.append(" ")
        found.append(text)
        before, is_apart = text, False
        if text[0] == "`" and text.endswith("${"):
            braces.append(0)
        elif text[0] == "}" and len(text) > 1:
            if text.endswith("`"):
                braces.pop()
        elif braces and text in {"{", "}"}:
            braces[-1] += 1 if text == "{" else -1
    return "".join(found)


def _token(source: str, at: int, before: str, *, is_in_template: bool) -> re.Match[str]:
    token = TOKEN.match(source, at)
    if token is not None and token[0] == "}" and is_in_template:
        token = REST_OF_TEMPLATE.match(source, at)
    elif token is not None and token[0] == "/" and _begins_regex(before):
        token = REGEX.match(source, at)
    if token is None:
        raise ValueError(f"no token begins with {source[at : at + 20]!r}")
    return token


def _begins_regex(before: str) -> bool:
    """Whether a slash after a token begins a regular expression."""
    return before in BEFORE_REGEX or not re.search(r"""[\w$)\]}"'`/]$""", before)


def minify_style(source: str) -> str:
    """A style sheet without comments and needless spaces."""
    strings: list[str] = []

    def shorten(token: re.Match[str]) -> str:
        if token[1] is None:
            return " "
        strings.append(token[1])
        return "\0"

    short = STYLE_TOKEN.sub(shorten, source).strip()
    short = STYLE_SIGN.sub(lambda sign: sign[1] or sign[2], short).replace(";}", "}")
    return re.sub("\0", lambda _: strings.pop(0), short)
