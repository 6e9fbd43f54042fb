"""Scripts and styles as browsers load them: without comments, and modules joined in a few files."""

import re
from graphlib import CycleError
from posixpath import dirname, normpath

import pytest

from service.web.chunks import LARGEST, MAIN, Chunks
from service.web.minify import minify_script, minify_style
from service.web.static import files, scripts_of


@pytest.mark.parametrize(
    ("written", "served"),
    [
        ("const a = 1; // one\n/* two */\nlet b;\n", "const a=1;let b;"),
        ("return a in b;", "return a in b;"),
        ("static #a = #b in c;", "static #a=#b in c;"),
        ("a + +b - -c + d++ + ++e;", "a+ +b- -c+d++ + ++e;"),
        ('const a = "// no, \\" /* nor this */";', 'const a="// no, \\" /* nor this */";'),
        ("f(/[/\"'`] \\/ x/g, a / b / c);", "f(/[/\"'`] \\/ x/g,a/b/c);"),
        ("return /a b/.test(c) ? d[0] / e : (f) / g;", "return/a b/.test(c)?d[0]/e:(f)/g;"),
        ("`a  ${ b + `c  ${ { d: 1 } }` }  // e`;", "`a  ${b+`c  ${{d:1}}`}  // e`;"),
        ("`a \\` \\${ b $ c`; d;", "`a \\` \\${ b $ c`;d;"),
        ("`\n  a\n` + 'b  c'", "`\n  a\n`+'b  c'"),
    ],
)
def test_a_script_loses_comments_and_needless_spaces_alone(written: str, served: str) -> None:
    assert minify_script(written) == served


@pytest.mark.parametrize(
    ("written", "served"),
    [
        (".a > .b :is(p, q) {\n  color: red;\n}\n", ".a>.b :is(p,q){color:red}"),
        ("/* one */\n.a::after {\n  content: \"a  {;} /* b */\";\n}", '.a::after{content:"a  {;} /* b */"}'),
        (".a { width: calc(1px + 2px) ; }", ".a{width:calc(1px + 2px)}"),
        ("@media (width > 5px) and (height >= 1px) { a + b { margin: 0 auto; } }",
         "@media (width>5px) and (height>= 1px){a + b{margin:0 auto}}"),
    ],
)  # fmt: skip
def test_a_sheet_loses_comments_and_needless_spaces_alone(written: str, served: str) -> None:
    assert minify_style(written) == served


def test_what_is_served_is_as_short_as_it_gets() -> None:
    for file in files().by_name.values():
        if file.content_type.startswith("text/javascript"):
            assert minify_script(file.content.decode()) == file.content.decode(), file.name


def test_modules_are_joined_by_what_needs_them() -> None:
    chunks = Chunks(
        {
            MAIN: 'import { a } from "./a.js";\nimport(entry);\n',
            "js/a.js": "export const a = 1;\n",
            LARGEST: 'import { a as b } from "../a.js";\nimport { c } from "./c.js";\n'
            'export function begun() {\n  return import("./later.js");\n}\n',
            "js/match/c.js": 'import DATA from "./data.json" with { type: "json" };\nexport const c = DATA;\n',
            "js/match/later.js": 'import { c } from "./c.js";\nimport { d } from "../d.js";\nexport class Later {}\n',
            "js/d.js": "export async function d() {}\n",
            "js/other.js": 'import { d } from "./d.js";\nawait d();\n',
        },
        {"js/match/data.json": '{ "a": [1, 2] }'},
    )
    assert {name: chunk.members for name, chunk in chunks.by_name.items()} == {
        MAIN: ("js/a.js", MAIN),
        LARGEST: ("js/match/c.js", LARGEST),
        "js/match/later.js": ("js/match/later.js",),
        "js/d.js": ("js/d.js",),
        "js/other.js": ("js/other.js",),
    }
    assert chunks.source(MAIN) == (
        "const $js_a=(()=>{const a=1;return{a}})();(()=>{const{a}=$js_a;import(entry);})();export{$js_a};"
    )
    assert chunks.source(LARGEST) == (
        'import{$js_a}from"../boot.js";'
        'const $js_match_c=(()=>{const DATA={"a":[1,2]};const c=DATA;return{c}})();'
        "export const{begun}=await(async()=>{const{a:b}=$js_a;const{c}=$js_match_c;"
        'function begun(){return import("./later.js");}return{begun}})();'
        "export{$js_match_c};"
    )
    assert chunks.source("js/other.js") == (
        'import{$js_d}from"./d.js";await(async()=>{const{d}=$js_d;await d();return{}})();'
    )
    assert chunks.needed_by("js/match/later.js") == ["js/match/later.js", LARGEST, "js/d.js", MAIN]


@pytest.mark.parametrize(
    "source",
    ["export let a = 1;\n", 'export * from "./b.js";\n', 'import * as b from "./b.js";\n', "export default 1;\n"],
)
def test_what_cannot_be_joined_is_refused(source: str) -> None:
    chunks = Chunks({"js/a.js": source, "js/b.js": ""}, {})
    with pytest.raises(ValueError, match=r"js/a\.js cannot be joined"):
        chunks.source("js/a.js")


def test_modules_that_import_each_other_are_refused() -> None:
    with pytest.raises(CycleError):
        Chunks({"js/a.js": 'import { b } from "./b.js";\n', "js/b.js": 'import { a } from "./a.js";\n'}, {})


def test_every_script_is_in_one_file_and_finds_what_it_imports() -> None:
    members = [member for chunk in files().chunks.by_name.values() for member in chunk.members]
    assert len(members) == len(set(members)) > 80
    sources = {name: files().by_name[name].content.decode() for name in files().chunks.by_name}
    shared = {name: set(source.rpartition("export{")[2].rstrip("};").split(",")) for name, source in sources.items()}
    for name, source in sources.items():
        for variables, path in re.findall(r'\bimport\{([^}]*)\}from"([^"]+)"', source):
            assert set(variables.split(",")) <= shared[normpath(f"{dirname(name)}/{path}")], name
        for path in re.findall(r'\bimport\("([^"]+)"\)', source):
            assert normpath(f"{dirname(name)}/{path}") in sources, name
    assert len(scripts_of(LARGEST, "games/paris/index.js", "games/paris/form.js")) == 4
