"""Train the run of `python train.py` and record the figures that the manual gives for it.

    python benchmarks/default_run.py
    python benchmarks/default_run.py --keep

The script writes docs/attention.png and docs/default_run.json, which contains a hash of the
settings and the corpus. tests/test_readme.py compares the manual with this file, and the hash with
the current settings and corpus. `--keep` measures an existing run again without training.
"""

import argparse
import hashlib
import json
import subprocess
import sys
import time
from pathlib import Path

from keras_transformer import phrasebook

HOME = Path(__file__).parents[1]
RUN = "checkpoints/phrasebook-en-de"
FIGURES = HOME / "docs" / "default_run.json"
PICTURE = "docs/attention.png"
PICTURED = "I am happy because my sister has found the key."
SENTENCES = (
    "Hello. How are you?",
    "Where can I buy a ticket?",
    "Ophelia Wolowitz has been working in Springfield since 2014.",
    "i'm sorry, i don't understand",
    PICTURED,
)


def fingerprint() -> str:
    """Return a hash of the built-in settings and of the pairs of the first epoch."""
    content = hashlib.sha256()
    settings = Path(phrasebook.__file__).with_name("settings.json")
    content.update(json.dumps(json.loads(settings.read_text("utf-8"))).encode())
    for split in phrasebook.SPLITS:
        content.update(json.dumps(phrasebook.pairs(split)).encode())
    return content.hexdigest()


def file_hash(path: Path) -> str:
    """Return the SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def run(*command: str) -> str:
    """Return the standard output of a script of this repository; show its standard error."""
    done = subprocess.run([sys.executable, *command], cwd=HOME, stdout=subprocess.PIPE, check=True)
    return done.stdout.decode("utf-8")


def evaluated(split: str) -> dict[str, float]:
    """Return BLEU and chrF of a split of the built-in corpus, with the default search."""
    path = Path(phrasebook.__file__).with_name(
        {"validation": "development.tsv"}.get(split, f"{split}.tsv")
    )
    report = json.loads(run("evaluate.py", "--checkpoint", RUN, "--test", str(path), "--json"))
    return {"bleu": round(report["bleu"], 1), "chrf": round(report["chrf"], 1)}


def trained_seconds(keep: bool) -> int:
    """Train and return the seconds, or return those recorded before if the run is kept."""
    if keep:
        return json.loads(FIGURES.read_text("utf-8"))["seconds"]
    begin = time.perf_counter()
    print(run("train.py", "--checkpoint", RUN, "--fresh"))
    return round(time.perf_counter() - begin)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--keep", action="store_true", help="evaluate the existing run")
    seconds = trained_seconds(parser.parse_args().keep)
    translations = run("translate.py", "--checkpoint", RUN, *SENTENCES).splitlines()
    run("translate.py", "--checkpoint", RUN, "--plot", PICTURE, PICTURED)
    figures = {
        "fingerprint": fingerprint(),
        "seconds": seconds,
        "pairs": len(phrasebook.pairs("train")),
        "validation": evaluated("validation"),
        "test": evaluated("test"),
        "picture": file_hash(HOME / PICTURE),
        "translations": dict(zip(SENTENCES, translations, strict=True)),
    }
    text = json.dumps(figures, indent=2, ensure_ascii=False)
    FIGURES.write_text(text + "\n", encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
