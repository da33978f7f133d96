"""What `train` reports at the end, with a substitute for the trainer."""

from types import SimpleNamespace

from keras_transformer.text.pair_files import open_files
from keras_transformer.training import finishing
from tests.conftest import write_pairs

PAIRS = [("a b", "c d"), ("e", "f")]


def test_the_score_of_the_best_weights_on_the_test_pairs_is_reported(tmp_path, capsys):
    done = []
    trainer = SimpleNamespace(
        model="model",
        run=SimpleNamespace(restore_weights=done.append),
        validator=SimpleNamespace(bleu=lambda pairs: done.append(pairs) or 12.345),
    )
    pairs = open_files((write_pairs(tmp_path / "test.tsv", PAIRS),))
    finishing._report_test_bleu(trainer, pairs)
    assert done == ["model", PAIRS], "the weights are restored first"
    assert "test.tsv: BLEU 12.35 of 2 sentences" in capsys.readouterr().out


def test_a_corpus_without_test_pairs_has_no_score(capsys):
    finishing._report_test_bleu(None, None)
    assert capsys.readouterr().out == ""
