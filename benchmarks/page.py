"""The HTML export in headless Chromium without a network: the same results as Python, and speed.

Usage: python benchmarks/page.py --checkpoint checkpoints/phrasebook-en-de

The page is opened from a file, in a browser that is offline. Its worker translates the test
sentences by greedy and by beam search, and so does the `Translator` in Python, with the same
quantized weights. Needs Playwright (extra "test") and Chromium.
"""

import argparse
import json
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import sacrebleu
from playwright.sync_api import Page, sync_playwright

from keras_transformer.commands import evaluate, run_flag
from keras_transformer.quiet import quiet_stderr

with quiet_stderr():
    import tensorflow as tf

    from keras_transformer.export.html.local_page import Options, export_html
    from keras_transformer.export.html.network_weights import assign
    from keras_transformer.export.html.reading import read_page
    from keras_transformer.inspection.attention.weights import visible
    from keras_transformer.runs.run import Run
    from keras_transformer.search.settings import SearchSettings
    from keras_transformer.translation.translator import Translator

sys.path.append(str(Path(__file__).parents[1]))  # for the strings of a test
from tests.text.odd_strings import odd_strings  # noqa: E402

CHROMIUM = "/usr/bin/chromium"
BEAMS = (1, 4)
PENALTY = SearchSettings().length_penalty
INSPECTED = 100  # sentences whose logits and attention are compared
TYPED = 20  # sentences that are typed
WORDS = 12  # in a sentence that is typed
OPENED = 5  # times

# Starts a worker of its own, which the page's interface does not use at the same time.
START = """async () => {
  const block = (id) => document.getElementById(id).textContent;
  const blob = new Blob([block("worker")], { type: "text/javascript" });
  const worker = new Worker(URL.createObjectURL(blob));
  const binary = atob(block("weights"));
  const weights = Uint8Array.from(binary, (char) => char.charCodeAt(0)).buffer;
  window.ask = (method, given) => new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => data.error ? reject(data.error) : resolve(data.result);
    worker.postMessage({ id: 0, method, arguments: given });
  });
  const description = JSON.parse(block("model"));
  await window.ask("load", { description, subwords: JSON.parse(block("subwords")), weights });
}"""
ASK = """async ([method, all]) => {
  const found = [];
  for (const given of all) found.push(await window.ask(method, given));
  return JSON.stringify(found, (_, each) => ArrayBuffer.isView(each) ? Array.from(each) : each);
}"""
# Types a sentence as a whole; resolves with the seconds until its translation appears.
TYPE = """(text) => new Promise((resolve) => {
  const begin = performance.now();
  const appeared = (_, observer) => {
    observer.disconnect();
    resolve((performance.now() - begin) / 1000);
  };
  new MutationObserver(appeared).observe(document.querySelector(".target"), { childList: true });
  const input = document.querySelector("#source");
  input.value = text;
  input.dispatchEvent(new Event("input"));
})"""
# Resolves with the seconds from the opening of the page to its first translation.
FIRST = """() => new Promise((resolve) => {
  const look = () => {
    const isThere = document.querySelector(".target .word");
    return isThere ? resolve(performance.now() / 1000) : requestAnimationFrame(look);
  };
  look();
})"""


@contextmanager
def opened(path: Path) -> Iterator[Page]:
    """Open a page from a file in a browser that is offline."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM)
        context = browser.new_context(offline=True)
        page = context.new_page()
        page.goto(path.resolve().as_uri())
        yield page
        browser.close()


def ask(page: Page, method: str, requests: Sequence[dict[str, Any]]) -> list[Any]:
    """Return the worker's answers to requests for the same method."""
    return json.loads(page.evaluate(ASK, [method, list(requests)]))


def page_search(beam_size: int) -> dict[str, float]:
    return {"beamSize": beam_size, "lengthPenalty": PENALTY}


def search(beam_size: int) -> SearchSettings:
    return SearchSettings(beam_size=beam_size, length_penalty=PENALTY)


def scored(translations: Sequence[str], references: Sequence[str]) -> str:
    """Return the BLEU score of translations."""
    return f"{sacrebleu.corpus_bleu(translations, [references]).score:.2f}"


def compare_translations(
    page: Page, translator: Translator, pairs: Sequence[tuple[str, str]], float32: dict[int, str]
) -> None:
    """Print how many translations of the page are those of Python, and their BLEU."""
    sources, references = zip(*pairs, strict=True)
    print("| beam | same text | largest difference of scores | BLEU float32, quantized, page |")
    print("| --- | --- | --- | --- |")
    for beam_size in BEAMS:
        wanted = [best for best, *_ in translator.translate(sources, search(beam_size))]
        asked = [{"text": text, "search": page_search(beam_size)} for text in sources]
        found = ask(page, "translate", asked)
        texts = [one["translation"] for one in found]
        same = sum(a == b.text for a, b in zip(texts, wanted, strict=True))
        gap = max(abs(a["score"] - b.score) for a, b in zip(found, wanted, strict=True))
        scores = scored([each.text for each in wanted], references), scored(texts, references)
        print(
            f"| {beam_size} | {same} of {len(texts)} | {gap:.1e} "
            f"| {float32[beam_size]}, {', '.join(scores)} |"
        )


def compare_network(page: Page, translator: Translator, sources: Sequence[str]) -> None:
    """Print the largest differences of log probabilities and of attention weights."""
    pairs = [
        (translator.source_ids(text), list(best.ids))
        for text, [best, *_] in zip(sources, translator.translate(sources), strict=True)
    ]
    asked = [{"source": source, "target": target} for source, target in pairs]
    found = ask(page, "forced", asked)
    logs, weights = 0.0, 0.0
    for (source, target), one in zip(pairs, found, strict=True):
        inputs = tf.constant([source]), tf.constant([target])
        logits, attention = translator.model(inputs, training=False, return_attention=True)
        scores = logits[0, :-1].numpy()
        scores[:, translator.target_subwords.suppressed_ids()] = -np.inf  # as in a search
        wanted = tf.nn.log_softmax(scores).numpy()[range(len(target) - 1), target[1:]]
        logs = max(logs, np.abs(np.log(one["probabilities"]) - wanted).max())
        weights = max(weights, attention_gap(attention._asdict(), one["attention"], source, target))
    print(f"largest difference in {len(pairs)} sentences: log probability {logs:.1e}, ", end="")
    print(f"attention weight {weights:.1e}")


def attention_gap(
    wanted: dict[str, Any], found: dict[str, Any], source: Sequence[int], target: Sequence[int]
) -> float:
    """Return the largest difference of the attention weights of one sentence."""
    labels = [str(i) for i in source], [str(i) for i in target]
    gap = 0.0
    for kind, layers in wanted.items():
        for tensor, one in zip(layers, found[kind], strict=True):
            expected, _, _ = visible(kind, tensor.numpy()[0], *labels)
            values = np.array(one["values"], float).reshape(expected.shape)
            gap = max(gap, float(np.nanmax(np.abs(values - expected))))
    return gap


def compare_subwords(page: Page, translator: Translator) -> None:
    """Print how many odd strings are encoded as in Python."""
    strings = odd_strings(4000)
    found = ask(page, "encodeTarget", [{"text": text} for text in strings])
    longest, end = translator.max_target_length, translator.target_subwords.end
    same = 0
    for text, one in zip(strings, found, strict=True):
        ids = translator.target_subwords.encode(text) if text.strip() else []
        ids = ids if len(ids) <= longest else [*ids[: longest - 1], end]
        same += one["ids"] == (ids if len(ids) > 2 else [])
    print(f"odd strings with the same ids: {same} of {len(strings)}")


def sentences_to_type(sources: Sequence[str]) -> list[str]:
    """Return sentences of `WORDS` words: the words of the sources, one after the other."""
    words = re.sub(r"[.?!]", "", " ".join(sources)).split()
    return [" ".join(words[i * WORDS : (i + 1) * WORDS]) + "." for i in range(TYPED)]


def measure_typing(page: Page, sources: Sequence[str]) -> None:
    """Print the time from typing a sentence to its translation, and sentences/s of the worker."""
    seconds = [page.evaluate(TYPE, text) for text in sentences_to_type(sources)]
    print(
        f"from typing a sentence of {WORDS} words to its translation, beam 4: median "
        f"{statistics.median(seconds):.3f} s, at most {max(seconds):.3f} s ({len(seconds)})"
    )
    for beam_size in BEAMS:
        asked = [{"text": text, "search": page_search(beam_size)} for text in sources[:100]]
        begin = time.perf_counter()
        ask(page, "translate", asked)
        speed = len(asked) / (time.perf_counter() - begin)
        print(f"beam {beam_size}: {speed:.1f} sentences/s")


def measure_opening(path: Path) -> None:
    """Print the time from opening the page to its first translation."""
    seconds = []
    for _ in range(OPENED):
        with opened(path) as page:
            seconds.append(page.evaluate(FIRST))
    print(
        f"from opening to the first translation: median {statistics.median(seconds):.2f} s, "
        f"at most {max(seconds):.2f} s ({OPENED})"
    )


def main() -> None:
    """Print all measurements of a run's page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    run_flag.add_checkpoint_flag(parser.add_argument)
    evaluate.add_test_flag(parser.add_argument)
    parser.add_argument("--weights", choices=("int8", "float16"), default="int8")
    arguments = parser.parse_args()
    checkpoint = run_flag.chosen_run(arguments.checkpoint)
    run = Run.open(checkpoint)
    pairs = evaluate.test_pairs(arguments, lambda: run)
    sources, references = zip(*pairs, strict=True)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "page.html")
        report = export_html(checkpoint, path, Options(arguments.weights))
        print(f"{report.weights:,} weights as {arguments.weights}: {report.size / 1e6:.2f} MB")
        translator = Translator.of(run, fold_normalizations=False)
        float32 = {
            size: scored(
                [str(best) for best, *_ in translator.translate(sources, search(size))], references
            )
            for size in BEAMS
        }
        assign(translator.model, read_page(path)[2])
        measure_opening(path)
        with opened(path) as page:
            page.evaluate(FIRST)
            page.evaluate(START)
            measure_typing(page, sources)
            compare_translations(page, translator, pairs, float32)
            compare_network(page, translator, sources[:INSPECTED])
            compare_subwords(page, translator)


if __name__ == "__main__":
    main()
