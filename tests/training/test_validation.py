import pytest
import sacrebleu

from keras_transformer.training.validation import Validator
from keras_transformer.translation.translation import Translation
from tests.training.toy_training import new_trainer

pytestmark = pytest.mark.usefixtures("reused_learners")


@pytest.mark.parametrize(("lang", "tokenize"), [("de", "13a"), ("ja", "char")])
def test_the_bleu_suits_the_target_language(tmp_path, monkeypatch, lang, tokenize):
    """The sentences of a language without spaces are compared by characters."""
    trainer = new_trainer(tmp_path / "run", target_lang=lang)
    references = [target for _, target in trainer.sample]
    found = [f"{text[1:]}x" for text in references]
    translations = [[Translation(text, 0.0)] for text in found]
    monkeypatch.setattr(trainer.translator, "translate", lambda *_: translations)
    wanted = sacrebleu.corpus_bleu(found, [references], tokenize=tokenize).score
    assert Validator.sample_bleu(trainer.validator) == pytest.approx(wanted)
    assert trainer.validator.bleu(trainer.sample) == pytest.approx(wanted)
