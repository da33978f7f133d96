"""Exports in a C program, loaded the way TensorFlow Serving loads them."""

import numpy as np
import pytest

from benchmarks.c_program import COMPILER, SOAK_SOURCE, Program, Soak, compile_program
from keras_transformer.search.settings import SearchSettings
from tests.export.conftest import TYPED
from tests.export.test_signatures import SENTENCES, translated

pytestmark = pytest.mark.skipif(COMPILER is None, reason="no C compiler")


@pytest.fixture(scope="session")
def program(tmp_path_factory):
    return compile_program(tmp_path_factory.mktemp("program"))


@pytest.mark.parametrize(("signature", "beam_size"), [("serving_default", 4), ("greedy", 1)])
def test_batches_are_translated_as_in_python(program, exported, translator, signature, beam_size):
    with Program(program, exported.directory, signature) as running:
        for size in (1, 3, 64):
            found = running.request(source=SENTENCES[:size])
            settings = SearchSettings(beam_size=beam_size)
            wanted = [best for best, *_ in translator.translate(SENTENCES[:size], settings)]
            assert found["translation"] == [best.text for best in wanted]
            scores = [best.score for best in wanted]
            np.testing.assert_allclose(np.array(found["score"], float), scores, atol=1e-3)


def test_text_encoded_as_bytes_is_translated_as_in_python(program, exported_full, full_translator):
    with Program(program, exported_full.directory) as running:
        found = running.request(source=TYPED)
    wanted = full_translator.translate(TYPED)
    assert found["translation"] == [best.text for best, *_ in wanted]
    scores = [best.score for best, *_ in wanted]
    np.testing.assert_allclose(np.array(found["score"], float), scores, atol=1e-3)


def test_an_export_for_xla_translates_as_in_python(program, exported_xla, translator):
    long = " ".join(SENTENCES[:6])
    with Program(program, exported_xla.directory) as running:
        for batch in (SENTENCES[:1], SENTENCES[:3], SENTENCES, [long], [""]):
            assert running.request(source=batch)["translation"] == translated(translator, batch)


@pytest.mark.parametrize("libraries", ["all", "none"])
def test_ids_are_translated_as_in_python(program, exported, exported_ids, translator, libraries):
    """An export of ids only needs no additional libraries."""
    directory, more = {
        "all": (exported.directory, {}),
        "none": (exported_ids.directory, {"libraries": ()}),
    }[libraries]
    source = translator.source_subwords.encode(SENTENCES[0])
    [[wanted]] = translator.translate(SENTENCES[:1])
    with Program(program, directory, "ids", **more) as running:
        found = running.request(source_ids=[source, [0] * len(source)])
    assert [int(i) for i in found["target_ids"][0].split() if i != "0"] == list(wanted.ids[1:])
    assert float(found["score"][0]) == pytest.approx(wanted.score, abs=1e-3)
    assert set(found["target_ids"][1].split()) == {"0"}


def test_attention_weights_sum_to_1(program, exported, translator):
    with Program(program, exported.directory, "attention") as running:
        found = running.request(source=["ba lo", "ki"], target=["lo", "ki ba"])
    source = translator.source_subwords.labels(translator.source_subwords.encode("ba lo"))
    assert found["source_subwords"][0].split()[: len(source)] == source
    target = len(found["target_subwords"][0].split())
    cross = np.array(found["cross_attention"][0].split(), float).reshape(1, 2, target, -1)
    np.testing.assert_allclose(cross.sum(axis=-1), 1, atol=1e-4)


def test_text_requires_the_operations_of_tensorflow_text(program, exported):
    with pytest.raises(RuntimeError, match="Sentencepiece"):
        Program(program, exported.directory, libraries=())


def test_clients_get_correct_answers_while_versions_are_swapped(
    exported, translator, tmp_path, capfd
):
    """A wrong expectation, the last one, is noticed, and no other answer is wrong."""
    found = [translator.translate([sentence])[0][0] for sentence in SENTENCES[:3]]
    requests = [
        f"{sentence}\n{best.score:.6f}\n{best.text}"
        for sentence, best in zip(SENTENCES, found, strict=False)
    ]
    requests[-1] += "x"
    path = tmp_path / "requests"
    path.write_text("\n".join(requests) + "\n", encoding="utf-8")
    program = compile_program(tmp_path, SOAK_SOURCE)
    with Soak(program, exported.directory, 4, path) as soak:
        answers = wrong = 0
        for least in (20, 40):
            soak.send(exported.directory)
            while answers < least:
                answers, wrong = soak.send()
    noticed = {line for line in capfd.readouterr().err.splitlines() if line.startswith("wrong: ")}
    assert wrong > 0
    assert noticed == {f"wrong: {found[-1].text}x"}
