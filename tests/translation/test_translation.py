from keras_transformer.translation.translation import Translation

TRANSLATION = Translation("Wo ist <b> & Co.?", -0.12345, (1, 7, 2))


def test_str_is_the_text():
    assert str(TRANSLATION) == "Wo ist <b> & Co.?"


def test_repr_shows_no_ids():
    assert repr(TRANSLATION) == (
        "Translation(text='Wo ist <b> & Co.?', score=-0.12345, share=None)"
    )


def test_html_shows_the_escaped_text_and_the_score():
    assert TRANSLATION._repr_html_() == (
        "<p>Wo ist &lt;b&gt; &amp; Co.?<br><small>score -0.1235</small></p>"
    )


def test_translations_with_different_ids_differ():
    assert Translation("a", 0.0, (1, 2)) != Translation("a", 0.0, (1, 3))
