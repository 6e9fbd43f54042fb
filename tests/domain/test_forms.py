"""Strict reading of JSON objects."""

import pytest

from domain.forms import FieldError, Form, Malformed, escape

WORDS = {"red": 1, "green": 2}


def errors(form: Form) -> list[tuple[str, str]]:
    """Where and why a form is malformed; fail if it is not."""
    with pytest.raises(Malformed) as caught:
        form.finish()
    return [(error.pointer, error.detail) for error in caught.value.errors]


def test_a_form_that_is_read_in_full_is_finished() -> None:
    form = Form({"colour": "green", "number": 3, "sure": True, "name": "Ana", "list": ["a"], "inner": {}, "any": None})
    assert form.choice("colour", WORDS) == 2
    assert form.integer("number", range(1, 4)) == 3
    assert form.boolean("sure") is True
    assert form.text("name", 3) == "Ana"
    assert [entry.json for entry in form.list("list", 1, 1)] == ["a"]
    form.form("inner").close()
    assert form.anything("any") is None
    form.finish()


@pytest.mark.parametrize(
    ("json", "kind"),
    [
        (None, "null"),
        (True, "true or false"),
        ("x", "a text"),
        (1, "a number"),
        (1.5, "a number"),
        ([], "a list"),
        (object(), "that"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_is_no_object_says_what_it_is(json: object, kind: str) -> None:
    assert errors(Form(json, "/here")) == [("/here", f"must be an object, not {kind}")]


def test_a_missing_member_is_told_once() -> None:
    form = Form({})
    form.choice("choice", WORDS)
    form.integer("integer", (1, 2))
    form.boolean("boolean")
    form.text("text", 5)
    assert list(form.list("list", 0, 1)) == [] and form.choices("choices", WORDS, 0, 1) == ()
    form.anything("anything")
    names = ("choice", "integer", "boolean", "text", "list", "choices", "anything")
    assert errors(form) == [(f"/{name}", "is missing") for name in names]


def test_members_that_were_not_read_are_unknown() -> None:
    form = Form({"a": 1, "b/c~d": 2})
    form.integer("a", (1,))
    assert errors(form) == [("/b~1c~0d", "is not known here")]


def test_members_that_are_not_named_by_strings_are_refused() -> None:
    form = Form({7: 1, "a": 2})
    assert errors(form) == [("", "members must be named by strings"), ("/a", "is not known here")]


def test_whether_a_member_is_there_does_not_depend_on_its_value() -> None:
    form = Form({"a": None})
    assert (form.has("a"), form.has("b")) == (True, False)


@pytest.mark.parametrize("value", ["blue", "", None, 1, ["red"], {"red": 1}], ids=repr)
def test_a_choice_is_one_of_the_words(value: object) -> None:
    form = Form({"colour": value})
    assert form.choice("colour", WORDS) in (1, 2)
    assert errors(form) == [("/colour", "must be one of red, green")]


@pytest.mark.parametrize("value", [0, 4, 2.0, "2", True, None, [2]], ids=repr)
def test_an_integer_is_one_of_the_allowed_ones(value: object) -> None:
    form = Form({"number": value, "other": value})
    assert form.integer("number", range(1, 4)) in range(1, 4)
    assert form.integer("other", (1, 2, 3)) in (1, 2, 3)
    assert errors(form) == [
        ("/number", "must be an integer from 1 to 3"),
        ("/other", "must be one of the integers 1, 2, 3"),
    ]


@pytest.mark.parametrize(("value", "kind"), [(0, "a number"), ("true", "a text"), (None, "null")], ids=repr)
def test_a_boolean_is_true_or_false(value: object, kind: str) -> None:
    form = Form({"sure": value})
    assert form.boolean("sure") is False
    assert errors(form) == [("/sure", f"must be true or false, not {kind}")]


@pytest.mark.parametrize("value", ["", "abcdef", "a\0", chr(0xD800), chr(0xDFFF), None, 5], ids=repr)
def test_a_text_is_not_empty_nor_long_nor_broken(value: object) -> None:
    form = Form({"name": value})
    assert form.text("name", 5) == ""
    assert errors(form) == [("/name", "must be a text of 1 to 5 characters")]


@pytest.mark.parametrize("value", ["a", "abcde", "Łódź!", "\ue000\ud7ff"])
def test_a_text_may_be_as_long_as_allowed(value: str) -> None:
    form = Form({"name": value})
    assert form.text("name", 5) == value
    form.finish()


@pytest.mark.parametrize("value", [[], [1, 2, 3], "ab", {"0": 1}, None], ids=repr)
def test_a_list_has_an_allowed_length(value: object) -> None:
    form = Form({"list": value})
    assert list(form.list("list", 1, 2)) == []
    assert errors(form) == [("/list", "must be a list of 1 to 2 entries")]


def test_entries_note_errors_at_their_place() -> None:
    form = Form({"a/b": [1, 2]}, "/here")
    for entry in form.list("a/b", 0, 2):
        entry.note(f"is {entry.json}")
    assert errors(form) == [("/here/a~1b/0", "is 1"), ("/here/a~1b/1", "is 2")]


def test_choices_keep_their_order_and_refuse_what_is_named_twice_or_unknown() -> None:
    form = Form({"good": ["green", "red"], "bad": ["red", "red", "blue", 1]})
    assert form.choices("good", WORDS, 2, 2) == (2, 1)
    assert form.choices("bad", WORDS, 1, 4) == (1,)
    assert errors(form) == [
        ("/bad/1", "red is named twice"),
        ("/bad/2", "must be one of red, green"),
        ("/bad/3", "must be one of red, green"),
    ]


def test_a_word_and_words_are_read_as_they_are() -> None:
    form = Form({"word": "b", "words": ["b", "a"], "other": "c"})
    assert (form.word("word", "ab"), form.words("words", "ab", 1, 2)) == ("b", ("b", "a"))
    form.word("other", "ab")
    assert errors(form) == [("/other", "must be one of a, b")]


def test_a_flag_is_true_or_absent() -> None:
    form = Form({"set": True, "unset": False, "none": None})
    assert [form.flag(name) for name in ("set", "unset", "none", "absent")] == [True, False, False, False]
    assert errors(form) == [
        ("/unset", "must be true or absent"),
        ("/none", "must be true or false, not null"),
        ("/none", "must be true or absent"),
    ]


def test_an_inner_form_shares_the_errors() -> None:
    form = Form({"inner": {"a": 1}, "wrong": 3})
    form.form("inner").close()
    form.form("wrong")
    assert errors(form) == [("/inner/a", "is not known here"), ("/wrong", "must be an object, not a number")]


def test_a_missing_inner_form_is_told_and_can_be_read() -> None:
    form = Form({})
    assert not form.form("inner").has("a")
    assert errors(form) == [("/inner", "is missing")]


def test_a_malformed_document_says_all_its_errors() -> None:
    malformed = Malformed([FieldError("/a", "is missing"), FieldError("", "must be an object")])
    assert str(malformed) == "/a: is missing; /: must be an object"
    assert [error.pointer for error in malformed.errors] == ["/a", ""]


@pytest.mark.parametrize(("name", "escaped"), [("a", "a"), ("~1", "~01"), ("/", "~1"), ("~/", "~0~1"), ("\ud800", "?")])
def test_names_are_escaped_in_pointers(name: str, escaped: str) -> None:
    assert escape(name) == escaped
