"""The description of a network for CTranslate2."""

import pytest

from keras_transformer.errors import UserError
from keras_transformer.export import ctranslate2_spec
from keras_transformer.export.ctranslate2_spec import tokens


def test_a_subword_with_the_name_of_a_special_token_is_rejected(translator, monkeypatch):
    piece = translator.source_subwords.bpemb.spm.id_to_piece(10)
    monkeypatch.setattr(ctranslate2_spec, "START_TOKEN", piece)
    with pytest.raises(UserError, match="a subword is named .*, like a special token"):
        tokens(translator.source_subwords)
