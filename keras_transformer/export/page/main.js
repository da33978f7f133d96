/** The page: what is typed is translated, and the chosen view shows how. */

import { connected } from "./interface/backend.js";
import { onColorsChanged } from "./interface/colors.js";
import { element } from "./interface/dom.js";
import { pageFooter, pageHeader } from "./interface/frame.js";
import { sentencesOf } from "./interface/sentences.js";
import { State } from "./interface/state.js";
import { tabs } from "./interface/tabs.js";
import { ViewFrame } from "./interface/viewFrame.js";
import { onWidthChanged } from "./interface/width.js";
import { attention } from "./views/attention.js";
import { beam } from "./views/beam.js";
import { heads } from "./views/heads.js";
import { positions } from "./views/positions.js";
import { steps } from "./views/steps.js";
import { TranslationPanel } from "./views/translation.js";

const VIEWS = [attention, steps, beam, heads, positions];
const TRANSLATED = ["text", "beam", "penalty"]; // the keys of the state that change translations
const ANNOUNCED_AFTER = 700; // ms without a change, so that not every letter is announced
const SLOW = 1000; // ms of translating after which the page says so

class Page {
  /** @param description the block `model`. */
  constructor(description) {
    const { beam_size: beam, length_penalty: penalty } = description.search;
    this.state = new State({ text: description.examples[0] ?? "", beam, penalty });
    this.description = description;
    this.status = element("p", { class: "spoken", role: "status" });
    const newClient = connected(description);
    this.backend = newClient();
    this.panel = new TranslationPanel(this.shared(this.backend));
    this.frames = VIEWS.map((view) => new ViewFrame(view, this.shared(newClient())));
    this.tabs = tabs("Views", this.frames, (name) => this.choose(name));
    this.tabs.element.hidden = true; // until there is a translation
    this.results = [];
  }

  /** Return what a view gets. */
  shared(backend) {
    return { backend, state: this.state, announce: (text) => this.announce(text) };
  }

  /** Show the page. */
  open() {
    document.title = `Transformer: ${this.description.name}`;
    document.body.append(
      pageHeader(this.description),
      element("main", {}, this.panel.element, this.tabs.element),
      pageFooter(this.description),
      this.status,
    );
    this.state.subscribe((values, previous) => {
      const isOther = TRANSLATED.some((key) => values[key] !== previous[key]);
      return isOther ? this.translate() : this.show();
    });
    onColorsChanged(() => this.show());
    onWidthChanged(() => {
      this.panel.grow();
      this.show();
    });
    this.translate();
  }

  choose(view) {
    if (view !== this.frame().name) {
      this.state.set({ view }, { push: true });
    }
  }

  /** Translate the sentences of the text. If it changes in the meantime, this does not continue. */
  async translate() {
    const { text, beam, penalty } = this.state.values;
    const search = { beamSize: beam, lengthPenalty: penalty };
    this.backend.renew();
    this.frame().renew();
    this.panel.showText();
    clearTimeout(this.slow);
    this.slow = setTimeout(() => this.panel.wait(true), SLOW);
    const sentences = sentencesOf(text, this.description.source_lang);
    const requests = sentences.map((each) =>
      this.backend.translate({ text: each.text, search, off: [] }),
    );
    try {
      this.results = await Promise.all(requests);
    } catch (error) {
      this.fail(error.message);
      return;
    } finally {
      clearTimeout(this.slow);
      this.panel.wait(false);
    }
    this.tabs.element.hidden = false;
    this.announce(this.results.map(({ translation }) => translation).join(" "));
    this.show();
  }

  /** Show why there is no translation. */
  fail(message) {
    this.results = [];
    this.tabs.element.hidden = true;
    this.panel.fail(message);
  }

  /** Show the translations and the chosen view. */
  show() {
    if (this.results.length) {
      const place = Math.min(this.state.values.sentence, this.results.length - 1);
      this.panel.update(this.results, place);
      this.tabs.select(this.frame().name);
      this.frame().update(this.results[place]);
    }
  }

  /** Return the frame of the chosen view. */
  frame() {
    return this.frames.find(({ name }) => name === this.state.values.view) ?? this.frames[0];
  }

  announce(text) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.status.textContent = text;
    }, ANNOUNCED_AFTER);
  }
}

new Page(JSON.parse(document.getElementById("model").textContent)).open();
