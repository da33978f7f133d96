"""Train a translator for Multi30k with several seeds, and score each of three ways of decoding.

    python benchmarks/multi30k.py --data multi30k --seeds 1 2 3 --mixed-precision
    python benchmarks/multi30k.py --data multi30k --seeds 1 2 --mixed-precision --reversed-share 0.2
    python benchmarks/multi30k.py --data multi30k --seeds 1 2 3 --hours 1.85
    python benchmarks/multi30k.py --data multi30k --seeds 1 --baseline checkpoints/multi30k-recipe-1

`multi30k` is a directory with the lower-cased and tokenized files of task 1, such as
`train.lc.norm.tok.en`. The recipe, or the training that `--hours` chooses, is trained for each seed
in checkpoints/, and the datastore of its nearest neighbors is made. A run that exists is resumed,
or only scored if it is finished. The script prints the BLEU of the validation and test pairs with
beam 5, with the default (beam 12, reranked) and with nearest neighbors, with the significance of
the difference from the baseline, if one is given, and the means of the seeds.
"""

import argparse
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

HOME = Path(__file__).parents[1]
SETS = {"validation": "val", "test": "test_2016_flickr"}
DECODINGS = {
    "beam 5": ("--beam-size", "5", "--no-rerank"),
    "beam 12, reranked": (),
    "with neighbors": ("--neighbors",),
}


def command(name: str, *arguments: str) -> list[str]:
    """Return the command line of a script of this repository."""
    return [sys.executable, str(HOME / f"{name}.py"), *arguments]


def pair_files(data: Path, name: str) -> list[str]:
    """Return the paths of the English and of the German file of a set."""
    return [str(data / f"{name}.lc.norm.tok.{lang}") for lang in ("en", "de")]


def trained(chosen: argparse.Namespace, seed: int) -> str:
    """Train a run, unless it is finished, make its datastore, and return its directory."""
    kind = f"{chosen.hours:g}-hours" if chosen.hours else "recipe"
    kind += "-reversed" if chosen.reversed_share else ""
    flags = ["--hours", f"{chosen.hours:g}"] if chosen.hours else ["--config", "multi30k"]
    flags += ["--mixed-precision"] if chosen.mixed_precision else []
    flags += ["--reversed-share", f"{chosen.reversed_share:g}"] if chosen.reversed_share else []
    flags += ["--source-lang", "en", "--target-lang", "de", "--seed", str(seed)]
    flags += ["--train", *pair_files(chosen.data, "train")]
    flags += ["--validation", *pair_files(chosen.data, "val")]
    directory = f"checkpoints/multi30k-{kind}-{seed}"
    begin = time.perf_counter()
    subprocess.run(command("train", *flags, "--checkpoint", directory), check=True)
    minutes = (time.perf_counter() - begin) / 60
    # Flushed, since the commands write to the same output.
    print(f"{directory}: {minutes:.1f} minutes since it began or resumed", flush=True)
    if not Path(directory, "datastore").is_dir():
        subprocess.run(command("datastore", "--checkpoint", directory), check=True)
    return directory


def scores(directory: str, data: Path, baseline: str | None) -> dict[tuple[str, str], float]:
    """Print and return {(set, decoding): BLEU} of a run."""
    found = {}
    for kind, name in SETS.items():
        for decoding, flags in DECODINGS.items():
            report = evaluated(directory, pair_files(data, name), flags, baseline)
            found[kind, decoding] = report["bleu"]
            print(
                f"{directory}\t{kind}\t{decoding}\t{report['bleu']:.2f}{compared(report)}",
                flush=True,
            )
    return found


def evaluated(
    directory: str, files: list[str], flags: tuple[str, ...], baseline: str | None
) -> dict:
    """Return the report of `evaluate.py`."""
    flags = (*flags, *(("--baseline", baseline) if baseline else ()))
    line = command("evaluate", "--checkpoint", directory, "--test", *files, "--tokenize", "none")
    done = subprocess.run([*line, *flags, "--json"], stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


def compared(report: dict) -> str:
    """Return the score of the baseline and the p-value of the difference, or nothing."""
    if "baseline" not in report:
        return ""
    bleu = report["baseline"]["bleu"]
    return f"\tbaseline {bleu['baseline']:.2f}, p = {bleu['p_value']:.3g}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, metavar="DIR")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    parser.add_argument("--hours", type=float, help="a time budget instead of the recipe")
    parser.add_argument("--mixed-precision", action="store_true", help="of the recipe")
    parser.add_argument("--reversed-share", type=float, help="as in train.py")
    parser.add_argument("--baseline", metavar="DIR", help="run to compare with")
    chosen = parser.parse_args()
    found = [scores(trained(chosen, seed), chosen.data, chosen.baseline) for seed in chosen.seeds]
    for key in found[0]:
        print("mean", *key, f"{statistics.mean(each[key] for each in found):.2f}", sep="\t")


if __name__ == "__main__":
    main()
