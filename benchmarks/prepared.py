"""The training batches of a run, written once for all contestants of a benchmark."""

from trainers import batches as files

from keras_transformer.quiet import quiet_stderr

with quiet_stderr():
    from keras_transformer.runs.run import Run
    from keras_transformer.text.batches import make_batches
    from keras_transformer.text.corpus import Corpus, open_corpus
    from keras_transformer.text.encoded_pairs import EncodedPairs


def open_corpus_of(run: Run) -> Corpus:
    """Return the corpus that a run is trained on."""
    text, training = run.config.text, run.config.training
    return open_corpus(training.train, training.validation, text.source_lang, text.target_lang)


def write_batches(run: Run, corpus: Corpus, directory: str, number: int) -> None:
    """Write training batches, and the size of the vocabulary, for `trainers.ours`.

    Args:
        run: the run, for its settings and its subword models.
        corpus: its corpus.
        directory: where the files are written.
        number: number of batches.
    """
    training = run.config.training
    pairs = EncodedPairs(corpus.train, run.encoding())
    batches = make_batches(
        pairs, training.batching, training.batch_size, training.shuffle_buffer, seed=1
    )
    files.write(directory, "bucketed", list(batches.take(number).as_numpy_iterator()))
    files.write_vocab_size(directory, max(each.size for each in pairs.encoding.subwords))
