"""JSON Schema of rule files, for completion in editors; generated from the model."""

from __future__ import annotations

import json
from typing import Any

from .model import KINDS, WHERE_KINDS, Example, Key, keys_of

ADDRESS = "https://json-schema.org/draft/2020-12/schema"


def schema() -> dict[str, Any]:
    """The schema of one rule file: a list of rules, each of one kind."""
    kinds = {kind: _mapping(keys_of(cls), kind) for kind, cls in KINDS.items()}
    return {
        "$schema": ADDRESS,
        "title": "gpuport rules",
        "type": "array",
        "items": {"oneOf": [{"$ref": f"#/$defs/{kind}"} for kind in kinds]},
        "$defs": kinds | {"example": _mapping(keys_of(Example))},
    }


def _mapping(keys: dict[str, Key], kind: str | None = None) -> dict[str, Any]:
    properties = {name: _property(name, key) for name, key in keys.items()}
    required = [name for name, key in keys.items() if key.required]
    found: dict[str, Any] = {
        "type": "object",
        "additionalProperties": False,
        "properties": properties,
    }
    if kind is not None:
        properties["kind"] = {"const": kind}
        evident = {"pattern": "rewrite", "swap": "to"}.get(kind)
        if evident is None:
            required.append("kind")
        else:
            found["anyOf"] = [{"required": ["kind"]}, {"required": [evident]}]
    return found | {"required": required}


def _property(name: str, key: Key) -> dict[str, Any]:
    text: dict[str, Any] = {"type": "string", "minLength": 1}
    if key.choices:
        exact = [c for c in key.choices if not c.endswith(":")]
        begun = [{"type": "string", "pattern": f"^{c}"} for c in key.choices if c.endswith(":")]
        text = {"anyOf": [{"enum": exact}, *begun]} if begun else {"enum": exact}
    shapes: dict[str, dict[str, Any]] = {
        "text": text,
        "flag": {"type": "boolean"},
        "names": {"anyOf": [text, {"type": "array", "items": text, "minItems": 1}]},
        "text-map": {"type": "object", "additionalProperties": text},
        "value-map": {"type": "object"},
        "examples": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/example"}},
    }
    shape = shapes[key.shape]
    if name == "where":
        shape = {"type": "object", "additionalProperties": {"enum": list(WHERE_KINDS)}}
    return shape | {"description": key.doc}


if __name__ == "__main__":
    print(json.dumps(schema(), indent=2))
