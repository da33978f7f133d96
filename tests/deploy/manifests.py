"""The manifests in deploy/, and their validation."""

import copy
import functools
from collections.abc import Iterator
from typing import Any

import kubeflow_trainer_api.models
import kubernetes_validate
import yaml

from tests.programs import HOME

DEPLOY = HOME / "deploy"
Manifest = dict[str, Any]

# Versions of Kubernetes: the oldest that has all fields enabled, and the newest that was known.
VERSIONS = ("1.29", "1.37")
# What KServe adds to the fields of a pod and of a container. The schemas of its own package are not
# used: it requires a web server, and its classes accept values of any type.
KSERVE_POD = {"minReplicas": int, "maxReplicas": int, "model": dict}
KSERVE_CONTAINER = {
    "modelFormat": dict,
    "protocolVersion": str,
    "runtime": str,
    "runtimeVersion": str,
    "storageUri": str,
}


# Otherwise `validate` would parse more than a megabyte of JSON in each call.
kubernetes_validate.utils.schema_contents = functools.cache(
    kubernetes_validate.utils.schema_contents
)


class Invalid(Exception):
    """A manifest does not match its schema."""


def load(name: str) -> list[Manifest]:
    """Return the manifests of a file in deploy/."""
    return list(yaml.safe_load_all((DEPLOY / name).read_text(encoding="utf-8")))


def every_manifest() -> Iterator[tuple[str, Manifest]]:
    """Yield all manifests in deploy/, each with the name of its file and its kind."""
    for path in sorted(DEPLOY.glob("*.yaml")):
        for manifest in load(path.name):
            yield f"{path.name}, {manifest['kind']}", manifest


def find(kind: str) -> list[Manifest]:
    """Return all manifests of a kind."""
    return [manifest for _, manifest in every_manifest() if manifest["kind"] == kind]


def validate(manifest: Manifest) -> None:
    """Validate a manifest; fields that its schema does not know are errors.

    Raises:
        Invalid: If it does not match its schema.
    """
    validators = {
        "trainer.kubeflow.org/v1alpha1": validate_trainer,
        "serving.kserve.io/v1beta1": validate_kserve,
    }
    validators.get(manifest["apiVersion"], validate_core)(manifest)


def validate_core(manifest: Manifest) -> None:
    """Validate a manifest of Kubernetes itself."""
    for version in VERSIONS:
        try:
            kubernetes_validate.validate(manifest, version, strict=True)
        except kubernetes_validate.ValidationError as error:
            raise Invalid(error.message) from error


def validate_trainer(manifest: Manifest) -> None:
    """Validate a manifest of Kubeflow Trainer."""
    kind = getattr(kubeflow_trainer_api.models, f"TrainerV1alpha1{manifest['kind']}")
    try:
        parsed = kind.from_dict(manifest)
    except ValueError as error:
        raise Invalid(str(error)) from error
    # Its classes ignore fields that they do not know.
    if parsed.to_dict() != manifest:
        raise Invalid("unknown fields")


def validate_kserve(manifest: Manifest) -> None:
    """Validate an InferenceService: without KServe's fields, what remains is an ordinary pod."""
    rest = copy.deepcopy(manifest)
    [predictor] = take_fields(rest["spec"], {"predictor": dict})
    *_, container = take_fields(predictor, KSERVE_POD)
    model_format, *_ = take_fields(container, KSERVE_CONTAINER)
    take_fields(model_format, {"name": str})
    if rest["spec"] or model_format:
        raise Invalid("unknown fields")
    containers = [container | {"name": "kserve-container"}]
    spec = predictor | {"containers": containers}
    validate_core(rest | {"apiVersion": "v1", "kind": "Pod", "spec": spec})


def take_fields(mapping: dict[str, Any], types: dict[str, type]) -> list[Any]:
    """Remove fields from a mapping and return their values.

    Raises:
        Invalid: If a field is missing or has another type.
    """
    values = [mapping.pop(name, None) for name in types]
    for value, (name, expected) in zip(values, types.items(), strict=True):
        if type(value) is not expected:
            raise Invalid(f"{name}: {value!r}")
    return values
