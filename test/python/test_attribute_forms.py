"""The table of forms of attributes names every attribute that the sources read."""

import re
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[2] / "src"
READ = re.compile(r"\.(integer|number|text|integers)\(\"(\w+)\"|axis_attribute\(\w+, \"(\w+)\"")
FORMS = {"integer": "Integer", "number": "Number", "text": "Text", "integers": "Integers"}
# What the importer reads are attributes of ONNX, not of Hone's operators.
FOREIGN = "import"
# Of several forms: the code of check_attributes and of infer_made tells them apart.
SEVERAL = {"reverse", "start", "delta"}


def test_every_attribute_has_the_form_it_is_read_in():
    table = dict(re.findall(r'{"(\w+)", Form::(\w+)}', (SOURCES / "ir/program/infer/attribute_types.cpp").read_text()))
    read = 0
    for source in SOURCES.rglob("*.cpp"):
        if FOREIGN in source.relative_to(SOURCES).parts:
            continue
        for form, name, axis in READ.findall(source.read_text()):
            if name in SEVERAL:
                continue
            read += 1
            assert table.get(axis or name) == FORMS[form or "integer"], f"{axis or name} in {source.name}"
    assert read > 100
