import pytest

from keras_transformer.search.settings import SearchSettings
from keras_transformer.translation.batch_search import MAX_SEARCHES, BatchSearch, cached

SETTINGS = [
    SearchSettings(beam_size=1, length_penalty=0.6),
    SearchSettings(beam_size=3, length_penalty=0.6),
    SearchSettings(beam_size=3, n_best=3),
]


def test_the_last_few_searches_are_kept():
    made = []
    searches = [SearchSettings(beam_size=size) for size in range(1, MAX_SEARCHES + 2)]
    make = cached(lambda settings: made.append(settings) or settings)
    for settings in (*searches, searches[-1], searches[0]):
        assert make(settings) is settings
    assert made == [*searches, searches[0]]


@pytest.mark.parametrize("settings", SETTINGS[:2])
def test_weights_are_read_before_the_loop_of_a_batch(translator, settings):
    """A read in the loop would be repeated at every position."""
    search = translator.batch_search.network_search
    traced = BatchSearch(search, 41)._traced(settings).get_concrete_function()
    functions = traced.graph.as_graph_def().library.function
    bodies = [each for each in functions if "while_body" in each.signature.name]
    assert len(bodies) == 1
    assert "ReadVariableOp" not in {node.op for node in bodies[0].node_def}
    assert "ReadVariableOp" in {node.op for node in traced.graph.as_graph_def().node}
