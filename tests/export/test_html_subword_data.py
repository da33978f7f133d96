"""The subwords in a page: which models it supports. `tests.page` tests how it uses them."""

import json

import pytest
from sentencepiece import sentencepiece_model_pb2

from keras_transformer.errors import UserError
from keras_transformer.export.html.subword_data import subword_data
from keras_transformer.text.subwords import Subwords

ModelProto = sentencepiece_model_pb2.ModelProto


def change_type(model):
    model.trainer_spec.model_type = model.trainer_spec.UNIGRAM


def change_spaces(model):
    model.trainer_spec.treat_whitespace_as_suffix = True


def add_rules_for_decoding(model):
    charsmap = model.normalizer_spec.precompiled_charsmap
    model.denormalizer_spec.precompiled_charsmap = charsmap


def disable_a_piece(model):
    model.pieces[-1].type = ModelProto.SentencePiece.UNUSED


def swap_the_first_pieces(model):
    first = ModelProto.SentencePiece.FromString(model.pieces[0].SerializeToString())
    model.pieces[0].CopyFrom(model.pieces[1])
    model.pieces[1].CopyFrom(first)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (change_type, "its type is not BPE"),
        (change_spaces, "it marks spaces at the ends of words"),
        (add_rules_for_decoding, "it has rules for decoding"),
        (disable_a_piece, "it has unused pieces"),
        (swap_the_first_pieces, "its first pieces are not <unk> and <s>"),
    ],
)
def test_models_that_the_page_does_not_support_are_rejected(thousand, tmp_path, change, reason):
    model = ModelProto.FromString(thousand)
    change(model)
    path = tmp_path / "some.model"
    path.write_bytes(model.SerializeToString())
    subwords = Subwords.load(path, "en")
    with pytest.raises(
        UserError, match=f"some.model: a page does not support this model: {reason}$"
    ):
        subword_data(subwords)


@pytest.mark.parametrize("pretrained", [False, True])
def test_the_data_are_json_with_all_pieces(thousand, tmp_path, pretrained):
    path = tmp_path / "some.model"
    path.write_bytes(thousand)
    subwords = Subwords.load(path, "en", pretrained)
    data = subword_data(subwords)
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    spm = subwords.bpemb.spm
    assert data["pieces"] == [spm.id_to_piece(i) for i in range(1000)]
    assert data["scores"] == [spm.get_score(i) for i in range(1000)]
    assert data["preprocessed"] is pretrained


def test_only_preprocessing_needs_digits(thousand, tmp_path):
    path = tmp_path / "some.model"
    path.write_bytes(thousand)
    assert subword_data(Subwords.load(path, "en"))["zeros"] == ""
    zeros = subword_data(Subwords.load(path, "en", pretrained=True))["zeros"]
    assert {"0", "٠", "०", "０"} <= set(zeros)
    assert all(int(zero) == 0 and int(chr(ord(zero) + 9)) == 9 for zero in zeros)
