"""Damages to a run directory, by accident or on purpose."""

import json
import os
import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

PAIRS = "pairs.tsv"


class Damager:
    """Damages a run directory, beside which is the corpus of the run, pairs.tsv.

    Args:
        run: the run directory.
        other: the directory of another run with the same settings, beside its corpus.
        seed: seed of the choices.
    """

    def __init__(self, run: Path, other: Path, seed: int) -> None:
        self.run = run
        self.home = run.parent
        self.other = other
        self.random = random.Random(seed)

    def files(self, pattern: str = "*") -> list[Path]:
        """Return the files of the run whose name matches a pattern, without logs."""
        found = (path for path in sorted(self.run.rglob(pattern)) if path.is_file())
        return [path for path in found if "logs" not in path.parts]

    def any_file(self, pattern: str = "*") -> Path:
        return self.random.choice(self.files(pattern))

    def name(self, path: Path) -> str:
        return str(path.relative_to(self.home))

    # Accidents

    def flip_a_bit(self, pattern: str = "*") -> str:
        path = self.any_file(pattern)
        content = bytearray(path.read_bytes())
        if not content:
            return f"{self.name(path)}, which is empty"
        position, bit = self.random.randrange(len(content)), self.random.randrange(8)
        content[position] ^= 1 << bit
        path.write_bytes(content)
        return f"{self.name(path)}, byte {position}, bit {bit}"

    def flip_a_bit_of_a_checkpoint(self) -> str:
        return self.flip_a_bit("ckpt-*")

    def truncate(self) -> str:
        path = self.any_file()
        size = self.random.randrange(max(1, path.stat().st_size))
        os.truncate(path, size)
        return f"{self.name(path)} to {size} bytes"

    def truncate_the_newest_checkpoint(self) -> str:
        path = max(self.files("ckpt-*.data*"), key=lambda path: path.stat().st_mtime)
        os.truncate(path, path.stat().st_size // 2)
        return self.name(path)

    def empty(self) -> str:
        path = self.any_file()
        path.write_bytes(b"")
        return self.name(path)

    def append_bytes(self) -> str:
        path = self.any_file()
        with open(path, "ab") as file:
            file.write(self.random.randbytes(20))
        return self.name(path)

    def fill_with_random_bytes(self) -> str:
        path = self.any_file()
        path.write_bytes(self.random.randbytes(path.stat().st_size))
        return self.name(path)

    def delete_a_file(self) -> str:
        path = self.any_file()
        path.unlink()
        return self.name(path)

    def delete_some_files(self) -> str:
        paths = self.random.sample(self.files(), 3)
        for path in paths:
            path.unlink()
        return ", ".join(map(self.name, paths))

    def delete_a_directory(self) -> str:
        path = self.random.choice([path for path in self.run.iterdir() if path.is_dir()])
        shutil.rmtree(path)
        return self.name(path)

    def delete_an_index(self) -> str:
        path = self.any_file("ckpt-*.index")
        path.unlink()
        return self.name(path)

    def delete_a_list_of_checkpoints(self) -> str:
        path = self.any_file("checkpoint")
        path.unlink()
        return self.name(path)

    def garble_a_list_of_checkpoints(self) -> str:
        path = self.any_file("checkpoint")
        content = self.random.choice([b"", b"rubbish", b"\xff\0\xfe", path.read_bytes()[:40]])
        path.write_bytes(content)
        return f"{self.name(path)}: {content!r}"

    def leave_parts_of_a_checkpoint(self) -> str:
        """A kill during a save may leave these."""
        (self.run / "ckpt-999_temp").mkdir()
        (self.run / "ckpt-999_temp" / "part-00000-of-00001.data").write_bytes(b"abc")
        (self.run / "checkpoint.tmp0123").write_bytes(b"model")
        (self.run / "config.json.part").write_bytes(b"{")
        return "ckpt-999_temp"

    def leave_an_empty_checkpoint(self) -> str:
        names = ["ckpt-999.index"], ["ckpt-999.index", "ckpt-999.data-00000-of-00001"]
        for name in self.random.choice(names):
            (self.run / name).touch()
        return "ckpt-999"

    def put_a_directory_in_place_of_a_file(self) -> str:
        path = self.any_file()
        path.unlink()
        path.mkdir()
        return self.name(path)

    def put_a_file_in_place_of_a_directory(self) -> str:
        self.delete_a_directory()
        path = next(self.run / name for name in ("best", "average", "logs") if self.is_free(name))
        path.write_bytes(b"no directory")
        return self.name(path)

    def is_free(self, name: str) -> bool:
        return not (self.run / name).exists()

    # Confusions

    def swap_two_files(self) -> str:
        return self.swap(*self.random.sample(self.files(), 2))

    def swap_two_checkpoints(self) -> str:
        one, two = self.random.sample(self.files("ckpt-*.index"), 2)
        self.swap(*(path.with_suffix(".data-00000-of-00001") for path in (one, two)))
        return self.swap(one, two)

    def swap_subword_models(self) -> str:
        return self.swap(self.run / "source.model", self.run / "target.model")

    def swap(self, one: Path, two: Path) -> str:
        contents = one.read_bytes(), two.read_bytes()
        two.write_bytes(contents[0])
        one.write_bytes(contents[1])
        return f"{self.name(one)} and {self.name(two)}"

    def copy_a_foreign_file(self, pattern: str = "*") -> str:
        """A file that both runs have: the numbers of their checkpoints may differ."""
        names = [path.relative_to(self.run) for path in self.files(pattern)]
        name = self.random.choice([name for name in names if (self.other / name).exists()])
        shutil.copy(self.other / name, self.run / name)
        return self.name(self.run / name)

    def copy_foreign_subwords(self) -> str:
        return self.copy_a_foreign_file("*.model")

    def copy_foreign_checkpoints(self) -> str:
        """All checkpoints, or only the best weights, of another run of the same shape."""
        patterns = "ckpt-*", "best/ckpt-*", "**/ckpt-*"
        pattern = self.random.choice(patterns)
        for path in self.other.glob(pattern):
            shutil.copy(path, self.run / path.relative_to(self.other))
        return pattern

    def link_a_file(self) -> str:
        """A link to a copy elsewhere is valid; a link to itself or to nothing is not."""
        path = self.any_file()
        elsewhere = self.home / "elsewhere"
        targets = elsewhere, Path(path.name), Path("/nowhere/at/all"), Path("/dev/null")
        target = self.random.choice(targets)
        shutil.move(path, elsewhere)
        path.symlink_to(target)
        return f"{self.name(path)} to {target.name}"

    def name_a_checkpoint_elsewhere(self) -> str:
        """The file `checkpoint` names a path outside the directory."""
        path = self.any_file("checkpoint")
        newest = max(self.other.rglob("ckpt-*.index"), key=lambda path: path.stat().st_mtime)
        outside = newest.with_suffix("")
        path.write_text(
            f'model_checkpoint_path: "{outside}"\nall_model_checkpoint_paths: "{outside}"\n'
        )
        return self.name(path)

    # Edits

    def edit_a_setting(self) -> str:
        path = self.run / "config.json"
        content = json.loads(path.read_text("utf-8"))
        section, name, value = self.random.choice(list(edits(content)))
        detail = f"{name} {content[section][name]} to {value}"
        content[section][name] = value
        path.write_text(json.dumps(content, indent=2), "utf-8")
        return detail

    def edit_the_shape(self) -> str:
        """Settings that change the meaning of the weights, most without changing their shapes."""
        path = self.run / "config.json"
        content = json.loads(path.read_text("utf-8"))
        wanted = ("num_layers", "num_heads", "joint_vocabulary", "subwords", "norm_first")
        shapes = [edit for edit in edits(content) if edit[1] in wanted]
        section, name, value = self.random.choice(shapes)
        content[section][name] = value
        path.write_text(json.dumps(content, indent=2), "utf-8")
        return f"{name} to {value}"

    def remove_settings(self) -> str:
        path = self.run / "config.json"
        content = json.loads(path.read_text("utf-8"))
        section = self.random.choice(["text", "model", "training"])
        removed = self.random.choice(sorted(content[section]))
        del content[section][removed]
        path.write_text(json.dumps(content, indent=2), "utf-8")
        return removed

    def change_the_corpus(self) -> str:
        """Other sentences, or another order, but as many."""
        path = self.home / PAIRS
        lines = path.read_text("utf-8").splitlines()
        kind = self.random.choice(["order", "one word", "all"])
        if kind == "order":
            lines.reverse()
        elif kind == "one word":
            lines[50] = lines[51]
        else:
            lines = (self.other.parent / PAIRS).read_text("utf-8").splitlines()
        path.write_text("\n".join(lines) + "\n", "utf-8")
        return kind


def edits(content: dict[str, dict[str, object]]) -> Iterator[tuple[str, str, object]]:
    """Yield (section, setting, another valid value)."""
    values: dict[str, list[object]] = {
        "source_lang": ["de", "xx"],
        "target_lang": ["en", "fr"],
        "subwords": ["pretrained"],
        "vocab_size": [59, 61, 10_000, None],
        "joint_vocabulary": [True],
        "max_source_length": [4, 400],
        "max_target_length": [4, 400],
        "num_layers": [2, 200],
        "decoder_layers": [2, 3],
        "d_model": [8, 32],
        "num_heads": [1, 4, 8],
        "dff": [16, 64],
        "rate": [0.0, 0.5],
        "norm_first": [True],
        "tied_embeddings": ["none"],
        "epochs": [1, 5],
        "batch_size": [4],
        "seed": [2],
        "optimizer": ["muon"],
        "peak_learning_rate": [0.5, 50.0],
        "average_last": [0, 4],
        "train": [[], ["pairs.tsv", "pairs.tsv"], ["nowhere.tsv"]],
    }
    for section in ("text", "model", "training"):
        for name in content[section]:
            for value in values.get(name, []):
                yield section, name, value


DAMAGES: list[Callable[[Damager], str]] = [
    value
    for name, value in vars(Damager).items()
    if not name.startswith("_") and name not in ("files", "any_file", "name", "is_free", "swap")
]
