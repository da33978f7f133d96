"""Bundles of modules against the modules themselves."""

import random
from pathlib import Path

import pytest

from keras_transformer.export.html.document import MAIN, SOURCES, WORKER
from keras_transformer.export.html.inlining import ModuleError, bundle
from tests.page.node import run_node

FORMS = [
    'export const {name} = "{path} </script> </SCRIPT>";',
    "export function {name}() {{\n  return helper();\n}}",
    "export async function {name}() {{\n  await null;\n}}",
    "export class {name} {{\n  static path = `{path}`;\n}}",
]
FOLDERS = ["", "engine/", "engine/inner/", "views/"]


def write(directory, sources):
    """Write {path: source} to a directory, and return it."""
    for path, source in sources.items():
        (directory / path).parent.mkdir(parents=True, exist_ok=True)
        (directory / path).write_text(source, encoding="utf-8")
    return directory


def relative(importer, path):
    """Return the path that an import statement contains."""
    up = "../" * importer.count("/")
    return f"{up or './'}{path}"


def random_modules(draw):
    """Return {path: source} of modules that import earlier ones. The last imports several.

    Names are few, so that modules use the same names for different things. Each module appends its
    path and what it sees of its imports to `found`.
    """
    sources, exports = {}, {}
    for number in range(8):
        path = f"{draw.choice(FOLDERS)}m{number}.js"
        lines, seen = [], []
        for other in draw.sample(sorted(exports), k=min(len(exports), draw.randint(0, 3))):
            names = draw.sample(exports[other], k=draw.randint(1, len(exports[other])))
            local = [f"{name}{len(seen) + i}" for i, name in enumerate(names)]
            pairs = ", ".join(f"{a} as {b}" for a, b in zip(names, local, strict=True))
            lines.append(f'import {{ {pairs} }} from "{relative(path, other)}";')
            seen += local
        exports[path] = draw.sample(["a", "b", "Kind", "$d"], k=draw.randint(1, 4))
        lines.append(f'const helper = () => "{path}";\nconst again = [this === undefined];')
        lines += [draw.choice(FORMS).format(name=name, path=path) for name in exports[path]]
        shown = ", ".join(
            f"typeof {n} === 'string' ? {n} : {n}.path ?? {n}.toString()" for n in seen
        )
        lines.append(f"found.push(helper(), again, [{shown}]);")
        sources[path] = "\n".join(lines) + "\n"
    return sources, path


def test_a_bundle_does_what_the_modules_do(tmp_path):
    cases = []
    for seed in range(40):
        sources, entry = random_modules(random.Random(seed))
        directory = write(tmp_path / str(seed), sources | {"package.json": '{"type": "module"}'})
        script = bundle(directory, entry)
        assert "</script" not in script.lower()
        cases.append({"entry": (directory / entry).as_uri(), "bundle": script})
    results = run_node(Path(__file__).with_name("bundles.mjs"), cases)
    assert len(results) == 40
    assert max(len(result["modules"]) for result in results) > 12  # items, three for each module
    for result in results:
        assert result["bundle"] == result["modules"]


def test_a_module_that_several_modules_import_is_contained_once(tmp_path):
    sources = {
        "main.js": 'import { a } from "./a.js";\nimport { b } from "./b.js";\n',
        "a.js": 'import { c } from "./c.js";\n\nexport const a = c;\n',
        "b.js": 'import {\n  c as d,\n} from "./c.js";\n\nexport const b = d;\n',
        "c.js": "export const c = 1;\n",
        "other.js": "export const other = 1;\n",
    }
    script = bundle(write(tmp_path, sources), "main.js")
    order = [line for line in script.splitlines() if line.startswith("// ")]
    assert order == ["// c.js", "// a.js", "// b.js", "// main.js"]


@pytest.mark.parametrize(
    "source",
    [
        "/**\n * @param {import('./a.js').A} a - import a module: export it\n */\n",
        '// import("./a.js")\n',
        "function important() {\n  exported = 1;\n}\n",
        "async function f() {\n  await null;\n}\n",
        "export const f = async () => await null;\n",
        "const exports = 1;\n",
    ],
)
def test_words_like_import_in_other_places_are_allowed(tmp_path, source):
    assert source.strip().removeprefix("export ") in bundle(
        write(tmp_path, {"main.js": source}), "main.js"
    )


@pytest.mark.parametrize(
    "statement",
    [
        'import a from "./a.js";',
        'import * as a from "./a.js";',
        'import "./a.js";',
        "import { a } from './a.js';",
        'import { a } from "a";',
        'import { default } as from "./a.js";',
        'import { "a b" as a } from "./a.js";',
        'import a, { b } from "./a.js";',
        "export default 1;",
        "export { a };",
        'export { a } from "./a.js";',
        'export * from "./a.js";',
        "export let a = 1;",
        "export var a = 1;",
        "export const { a } = {};",
        "export function* a() {}",
        '  import { a } from "./a.js";',
        "  export const b = 1;",
        'const a = await import("./a.js");',
        'if (true) import("./a.js");',
        "const a = import.meta.url;",
        "await Promise.resolve();",
        "for await (const a of []) {}",
        "const { a } = await f();",
        'const a = "<!-- ";',
    ],
)
def test_a_form_that_cannot_be_bundled_is_rejected(tmp_path, statement):
    sources = {
        "views/main.js": f"// The first line.\n\n{statement}\n",
        "views/a.js": "export const a = 1;\n",
    }
    with pytest.raises(ModuleError, match=r"^views/main\.js:3: .*cannot be bundled"):
        bundle(write(tmp_path, sources), "views/main.js")


@pytest.mark.parametrize(
    ("sources", "message"),
    [
        ({"main.js": 'import { a } from "./a.js";'}, "main.js:1: no module a.js"),
        ({"main.js": '\nimport { a } from "../a.js";'}, "main.js:2: no module ../a.js"),
        (
            {"main.js": 'import { b, c } from "./e/a.js";', "e/a.js": "export const b = 1;"},
            "main.js:1: e/a.js does not export c",
        ),
        (
            {
                "main.js": 'import { a } from "./a.js";\n',
                "a.js": 'import { b } from "./b.js";\nexport const a = b;',
                "b.js": '// comment\nimport { a } from "./a.js";\nexport const b = 1;',
            },
            "b.js:2: modules import each other: a.js -> b.js -> a.js",
        ),
        (
            {"main.js": 'import { a } from "./main.js";\nexport const a = 1;'},
            "main.js:1: modules import each other: main.js -> main.js",
        ),
    ],
)
def test_an_import_that_cannot_be_resolved_is_rejected(tmp_path, sources, message):
    with pytest.raises(ModuleError) as error:
        bundle(write(tmp_path, sources), "main.js")
    assert str(error.value) == message


@pytest.mark.parametrize("entry", [MAIN, WORKER])
def test_the_sources_of_the_page_can_be_bundled(entry):
    assert bundle(SOURCES, entry).startswith('"use strict";\n')
