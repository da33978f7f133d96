from keras_transformer.training.lines import epoch_line, validation_line
from keras_transformer.training.objective import Totals

TOTALS = Totals(loss=4668.6, correct=651.0, tokens=1000.0)  # a loss of 4.6686, accuracy 0.651


def test_a_line_has_the_figures_of_an_epoch():
    validation = validation_line(TOTALS._replace(loss=2000.0), 12.345)
    assert validation == "validation loss 2.000, perplexity 7.39, BLEU 12.35"
    assert epoch_line(TOTALS, validation, 61.6, 15_359.0) == (
        "loss 4.669, accuracy 0.651; validation loss 2.000, perplexity 7.39, BLEU 12.35; "
        "62 s, 15,359 target tokens/s"
    )
