/** The text, its translation while typing, and how probable each translated word is. */

import { unknownCharacters } from "../engine/words.js";
import { element, redraw, spoken } from "../interface/dom.js";
import { isToken, languageNames, shown, shownTranslation, spaced } from "../interface/labels.js";
import { decimal, percent } from "../interface/numbers.js";
import { roving } from "../interface/roving.js";
import { choiceOfSearch } from "../interface/searchSettings.js";
import { sentencesOf } from "../interface/sentences.js";
import { productsOf } from "../interface/wordProbabilities.js";

const TYPING_DELAY = 50; // ms
// Keys that move the caret. Others, such as Tab, which ends in this field, choose no sentence.
const CARET_KEYS = new Set([
  ...["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"],
  ...["Home", "End", "PageUp", "PageDown"],
]);
const LOADING = "Loading the network…";
const SERVED = "The server returns no probabilities, so the words are not shaded.";

export class TranslationPanel {
  /** @param page {backend, state, announce}. */
  constructor(page) {
    const { source_lang: source, target_lang: target, examples } = page.backend.description;
    this.page = page;
    this.language = source;
    this.input = element("textarea", {
      id: "source",
      rows: 1,
      lang: source,
      dir: "auto",
      spellcheck: "false",
      autocomplete: "off",
      oninput: () => this.typed(),
      onclick: () => this.followCaret(),
      onkeyup: ({ key }) => CARET_KEYS.has(key) && this.followCaret(),
    });
    this.subwords = element("div", { class: "glosses", lang: source });
    this.target = element("div", { class: "target", lang: target, dir: "auto" });
    this.settle = roving(this.target);
    this.waiting = element("p", { class: "quiet", role: "status" }, page.backend.local && LOADING);
    this.notes = element("div", { class: "notes" });
    this.settings = page.backend.local ? choiceOfSearch(page.state) : null;
    this.element = this.layout(languageNames(page.backend.description), examples);
  }

  layout({ source, target }, examples) {
    return element(
      "div",
      { class: "translation" },
      element(
        "div",
        { class: "side" },
        element("label", { for: "source", class: "side-title" }, source),
        this.input,
        this.subwords,
      ),
      element(
        "section",
        { class: "side", "aria-labelledby": "target-title" },
        element("h2", { id: "target-title", class: "side-title" }, target),
        this.target,
        this.waiting,
        this.notes,
        this.settings?.element,
      ),
      examples.length > 0 && this.exampleButtons(examples),
    );
  }

  exampleButtons(examples) {
    const buttons = examples.map((text) =>
      element(
        "button",
        { type: "button", class: "example", dir: "auto", onclick: () => this.example(text) },
        text,
      ),
    );
    return element("div", { class: "examples", role: "group", "aria-label": "Examples" }, buttons);
  }

  example(text) {
    clearTimeout(this.timer);
    this.timer = null;
    this.page.state.set({ text, sentence: 0 }, { push: true });
  }

  typed() {
    this.grow();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.timer = null;
      this.page.state.set({ text: this.input.value, sentence: this.sentenceAtCaret() });
    }, TYPING_DELAY);
  }

  followCaret() {
    const sentence = this.sentenceAtCaret();
    if (!this.timer && sentence !== this.page.state.values.sentence) {
      this.page.state.set({ sentence });
    }
  }

  sentenceAtCaret() {
    const sentences = sentencesOf(this.input.value, this.language);
    const place = sentences.findIndex(({ end }) => this.input.selectionStart < end);
    return place < 0 ? sentences.length - 1 : place;
  }

  /** Make the text field as high as its text. */
  grow() {
    this.input.style.height = "auto";
    this.input.style.height = `${this.input.scrollHeight}px`;
  }

  /** Show the text of the state, unless the reader is typing another one. */
  showText() {
    const { text } = this.page.state.values;
    if (!this.timer && this.input.value !== text) {
      this.input.value = text;
    }
    this.grow();
  }

  /**
   * Show the translations.
   *
   * @param results the result of `translate` for each sentence of the text.
   * @param place the number of the chosen sentence, from 0.
   */
  update(results, place) {
    this.settings?.update();
    redraw(this.subwords, glosses(results[place].source));
    redraw(
      this.target,
      results.map((result, i) => this.translation(result, i, i === place)),
    );
    this.settle(this.target.querySelector("button:focus") ?? undefined);
    redraw(this.notes, notesOn(results[place]));
  }

  /** Say whether the text is still being translated. */
  wait(isWaiting) {
    this.waiting.textContent = isWaiting ? this.waiting.textContent || "Translating…" : "";
  }

  /** Show why there is no translation. */
  fail(message) {
    redraw(this.subwords);
    redraw(this.target);
    redraw(this.notes, element("p", { class: "notice", role: "alert" }, message));
  }

  /** Return the translation of a sentence, of which only the chosen one has shades and subwords. */
  translation(result, place, isChosen) {
    if (isChosen) {
      const name = result.target.isUnspaced ? "sentence unspaced" : "sentence";
      return element("p", { class: name }, this.words(result));
    }
    const onclick = () => {
      this.page.state.set({ sentence: place });
      this.target.querySelector(".word")?.focus({ preventScroll: true });
    };
    const attributes = { type: "button", class: "sentence other", "data-key": `s${place}` };
    return element("button", { ...attributes, onclick }, shownTranslation(result.translation));
  }

  words({ source, target, probabilities }) {
    const { labels } = target.words;
    const products = probabilities && productsOf(target.words, probabilities);
    const numbers = numbersOfWords(labels);
    if (source.labels.length && !numbers.length) {
      return element("span", { class: "quiet" }, shownTranslation(""));
    }
    const words = numbers.map((number) => this.word(target, number, products?.[number] ?? null));
    return spaced(
      numbers.map((number) => labels[number]),
      words,
    );
  }

  word({ labels, words }, number, probability) {
    const parts = labels.filter((_, i) => words.numbers[i] === number).map(shown);
    const known = probability !== null;
    return element(
      "button",
      {
        type: "button",
        class: "word",
        "data-key": `w${number}`,
        style: { "--doubt": known ? 1 - probability : 0 },
        onclick: () => this.showAttention(number),
      },
      element("span", { class: "word-text" }, shown(words.labels[number])),
      pieces(parts),
      known &&
        element("span", { class: "probability", "aria-hidden": "true" }, percent(probability)),
      spoken(known ? `, probability ${percent(probability)}` : ""),
    );
  }

  /** Show what a word of the translation attends to. The start token has no row. */
  showAttention(number) {
    const { view } = this.page.state.values;
    const chosen = { view: "attention", kind: "cross", units: "words", word: `r${number - 1}` };
    this.page.state.set(chosen, { push: view !== chosen.view });
  }
}

/** Return the words of a side, each above its subwords. */
function glosses({ labels, words }) {
  const shownWords = numbersOfWords(words.labels).flatMap((number) => {
    const parts = labels.filter((_, i) => words.numbers[i] === number).map(shown);
    const text = element("span", { class: "word-text" }, shown(words.labels[number]));
    return [element("span", { class: "word" }, text, pieces(parts)), " "];
  });
  const read = labels
    .filter((label) => !isToken(label))
    .map(shown)
    .join(", ");
  return [
    spoken(read && `Subwords: ${read}`),
    // The text before is English, and must not decide on the direction.
    element("div", { "aria-hidden": "true", dir: "auto" }, shownWords),
  ];
}

/** Return the numbers of the words that are not special tokens. */
function numbersOfWords(labels) {
  return [...labels.keys()].filter((number) => !isToken(labels[number]));
}

function pieces(parts) {
  const each = parts.map((part) => element("span", { class: "piece", dir: "auto" }, part));
  return element("span", { class: "pieces", "aria-hidden": "true" }, each);
}

/** Return what there is to say about a translation. */
function notesOn({ source, target, truncated, finished, probabilities, score, logProbability }) {
  if (!source.labels.length) {
    return quiet("Nothing to translate yet.");
  }
  return [
    unknownNote(source.labels),
    truncated && note(`Too long: only the first ${source.labels.length - 2} subwords were read.`),
    !finished &&
      note(`Cut off after ${target.labels.length - 1} subwords, the longest translation.`),
    probabilities ? legend(score, logProbability) : quiet(SERVED),
  ];
}

/** Return what there is to say about characters that the vocabulary lacks: bytes, or "<unk>". */
function unknownNote(labels) {
  const characters = unknownCharacters(labels);
  if (characters.length) {
    return note(`The network does not know these characters: ${characters.join(" ")}`);
  }
  return labels.includes("<unk>") && note("The network does not know some of these characters.");
}

function note(text) {
  return element("p", { class: "notice" }, text);
}

function quiet(text) {
  return element("p", { class: "quiet" }, text);
}

function legend(score, logProbability) {
  return element(
    "p",
    { class: "quiet" },
    element("span", { class: "shades", "aria-hidden": "true" }),
    "More strongly marked words are less probable. Log probability ",
    `${decimal(logProbability)}, score ${decimal(score)}.`,
  );
}
