"""The manifests in deploy/ match their schemas, the commands, the image and each other."""

import copy
import importlib
import re

import pytest

import keras_transformer
from tests.deploy import manifests
from tests.deploy.manifests import DEPLOY, Invalid, every_manifest, find, validate
from tests.programs import HOME

# Fields whose keys are free, and which therefore cannot be misspelled.
FREE_KEYS = {"labels", "matchLabels", "selector", "requests", "limits"}
MANIFESTS = [pytest.param(manifest, id=name) for name, manifest in every_manifest()]


def paths(node, path=()):
    """Yield the paths of all fields of a manifest, except those with free keys."""
    items = node.items() if isinstance(node, dict) else enumerate(node)
    for key, value in items:
        if isinstance(node, dict):
            yield (*path, key)
        if isinstance(value, (dict, list)) and (key not in FREE_KEYS or "matchLabels" in value):
            yield from paths(value, (*path, key))


def parent(manifest, path):
    """Return the mapping that contains the field at a path."""
    for key in path[:-1]:
        manifest = manifest[key]
    return manifest


def pods():
    """Return the specifications of the pods of all Jobs, Deployments and the TrainingRuntime."""
    [runtime] = find("TrainingRuntime")
    jobs = [job["template"] for job in runtime["spec"]["template"]["spec"]["replicatedJobs"]]
    workloads = [*find("Job"), *find("Deployment"), *jobs]
    return [workload["spec"]["template"]["spec"] for workload in workloads]


def containers():
    """Return the first container of each of the `pods`."""
    return [pod["containers"][0] for pod in pods()]


def commands():
    """Return the commands of this package in the manifests, each as a list of arguments."""
    lines = [container.get("command", []) for container in containers()]
    lines += [job["spec"]["trainer"]["args"] for job in find("TrainJob")]
    program = "keras-transformer"
    return [line[line.index(program) + 1 :] for line in lines if program in line]


def path_on_volume(manifest):
    """Return the directory that a server mounts from the volume."""
    [container] = manifest["spec"]["template"]["spec"]["containers"]
    [mount] = container["volumeMounts"]
    return mount["subPath"]


def test_no_pod_has_a_token_for_the_kubernetes_api():
    """Whoever reaches the port of a worker can read its files."""
    assert [pod["automountServiceAccountToken"] for pod in pods()] == [False] * 4


@pytest.mark.parametrize("manifest", MANIFESTS)
def test_each_manifest_matches_its_schema(manifest):
    validate(manifest)


@pytest.mark.parametrize("manifest", MANIFESTS)
def test_a_misspelled_field_is_rejected_wherever_it_is(manifest):
    accepted = []
    for path in paths(manifest["spec"], ("spec",)):
        changed = copy.deepcopy(manifest)
        fields = parent(changed, path)
        fields[f"{path[-1]}x"] = fields.pop(path[-1])
        try:
            validate(changed)
        except Invalid:
            continue
        accepted.append(path)
    assert accepted == []


def numbers(manifest):
    """Return the paths of the fields of a manifest that are numbers."""
    found = paths(manifest["spec"], ("spec",))
    return [path for path in found if type(parent(manifest, path)[path[-1]]) is int]


@pytest.mark.parametrize("manifest", [each for each in MANIFESTS if numbers(*each.values)])
def test_a_text_in_place_of_a_number_is_rejected(manifest):
    for path in numbers(manifest):
        changed = copy.deepcopy(manifest)
        parent(changed, path)[path[-1]] = "four"
        with pytest.raises(Invalid):
            validate(changed)


def test_every_command_is_accepted_by_its_parser():
    lines = commands()
    assert sorted(command for command, *_ in lines) == ["export", "train", "train"]
    for command, *arguments in lines:
        parser = importlib.import_module(f"keras_transformer.commands.{command}").make_parser()
        assert parser.parse_args(arguments).checkpoint == "/data/checkpoints/phrasebook-en-de"


def test_training_uses_several_workers():
    assert all("--strategy=multiworker" in line for line in commands() if line[0] == "train")


def test_the_indexed_job_and_its_workers_agree_on_their_number():
    job = manifests.load("indexed-job.yaml")[1]["spec"]
    [container] = job["template"]["spec"]["containers"]
    [workers] = [entry["value"] for entry in container["env"] if entry["name"] == "WORKERS"]
    assert str(job["completions"]) == str(job["parallelism"]) == workers


def test_kubeflow_runs_the_same_pods_as_the_indexed_job():
    [runtime], [train_job] = find("TrainingRuntime"), find("TrainJob")
    [replicated] = runtime["spec"]["template"]["spec"]["replicatedJobs"]
    trainer = train_job["spec"]["trainer"]
    kubeflow = copy.deepcopy(replicated["template"]["spec"]["template"])
    [container] = kubeflow["spec"]["containers"]
    container["command"] += trainer["args"]
    container |= {"env": trainer["env"], "resources": trainer["resourcesPerNode"]}

    indexed = copy.deepcopy(manifests.load("indexed-job.yaml")[1]["spec"])
    del indexed["template"]["spec"]["subdomain"]  # a JobSet creates the headless service itself
    assert kubeflow == indexed["template"]
    assert trainer["numNodes"] == indexed["completions"]


def test_the_workers_find_each_other_by_the_headless_service():
    service, job = manifests.load("indexed-job.yaml")
    name = job["metadata"]["name"]
    assert service["spec"]["clusterIP"] == "None"
    assert service["spec"]["selector"] == {"batch.kubernetes.io/job-name": name}
    assert job["spec"]["template"]["spec"]["subdomain"] == service["metadata"]["name"]


def test_the_train_job_refers_to_the_runtime():
    [job], [runtime] = find("TrainJob"), find("TrainingRuntime")
    reference = job["spec"]["runtimeRef"]
    assert reference["name"] == runtime["metadata"]["name"]
    assert reference["kind"] == runtime["kind"]


def test_all_manifests_use_the_same_volume():
    [claim] = find("PersistentVolumeClaim")
    text = "\n".join(path.read_text(encoding="utf-8") for path in DEPLOY.glob("*.yaml"))
    names = re.findall(r"(?:claimName: |pvc://)([\w-]+)", text)
    assert set(names) == {claim["metadata"]["name"]}
    assert claim["spec"]["accessModes"] == ["ReadWriteMany"]


def test_both_servers_load_what_the_export_writes():
    [output] = [line[-1] for line in commands() if line[0] == "export"]
    [deployment], [service] = find("Deployment"), find("InferenceService")
    directory = path_on_volume(deployment)
    assert output == f"--output=/data/{directory}"
    assert service["spec"]["predictor"]["model"]["storageUri"].endswith(f"/{directory}")


def test_the_server_and_its_probe_use_the_name_of_the_model():
    [deployment] = find("Deployment")
    [container] = deployment["spec"]["template"]["spec"]["containers"]
    name = path_on_volume(deployment).removeprefix("serving/")
    assert container["env"] == [{"name": "MODEL_NAME", "value": name}]
    assert container["readinessProbe"]["httpGet"]["path"] == f"/v1/models/{name}"
    assert container["volumeMounts"][0]["mountPath"] == f"/models/{name}"


def test_every_version_of_tensorflow_serving_is_the_same():
    pages = [HOME / "docs/serving.md", HOME / "keras_transformer/export/server_files.py"]
    pages += DEPLOY.glob("*.yaml")
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    versions = re.findall(r"(?:tensorflow/serving:|runtimeVersion: )([\w.]+)", text)
    assert len(versions) >= 2
    assert set(versions) == {"2.20.0"}


def test_the_image_has_the_version_of_the_package():
    images = {container["image"] for container in containers()}
    own = f"keras-transformer:{keras_transformer.__version__}"
    assert images == {own, "tensorflow/serving:2.20.0"}
    assert f"-t {own} ." in (DEPLOY / "Dockerfile").read_text(encoding="utf-8")


def test_the_dockerfile_copies_files_that_exist():
    text = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    sources = [line.split()[1:-1] for line in text.splitlines() if line.startswith("COPY ")]
    assert sources
    assert all((HOME / source).exists() for line in sources for source in line)


def test_the_network_policy_is_about_the_workers():
    [policy] = find("NetworkPolicy")
    [peer] = policy["spec"]["ingress"][0]["from"]
    labels = manifests.load("indexed-job.yaml")[1]["spec"]["template"]["metadata"]["labels"]
    assert policy["spec"]["podSelector"]["matchLabels"] == labels
    assert peer["podSelector"]["matchLabels"] == labels


def test_the_manual_names_the_versions_that_the_manifests_are_validated_against():
    page = (HOME / "docs/kubernetes.md").read_text(encoding="utf-8")
    assert f"Kubernetes {' and '.join(manifests.VERSIONS)} " in page
