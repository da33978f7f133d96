/** What surrounds a view: notices in its place. */

import { element } from "./dom.js";

const NEEDS_NETWORK =
  "This view needs the inside of the network, which a server does not return. A page exported " +
  "without --server has it.";
const NO_SENTENCE = "Type a sentence above.";
const NO_TRANSLATION = "The translation of this sentence is empty.";

export class ViewFrame {
  /**
   * @param view {name, title, needsNetwork, make}.
   * @param page what the view gets.
   */
  constructor({ name, title, needsNetwork, make }, page) {
    const isMissing = needsNetwork && !page.backend.local;
    this.name = name;
    this.title = title;
    this.backend = page.backend;
    this.view = isMissing ? missing(title) : make(page);
    this.notice = element("p", { class: "notice", role: "status", hidden: true });
    this.content = element("div", {}, this.view.element);
    this.element = element("div", {}, this.notice, this.content);
  }

  /** Drop the requests of the view. */
  renew() {
    this.backend.renew();
  }

  /** Show the newest result, or why the view cannot. */
  async update(result) {
    this.renew();
    this.#show(noticeOn(result));
    if (!result.target.labels.length) {
      return;
    }
    try {
      await this.view.update(result);
    } catch (error) {
      this.#show(error.message);
    }
  }

  #show(notice) {
    this.notice.textContent = notice;
    this.notice.hidden = !notice;
    this.content.hidden = Boolean(notice);
  }
}

/** Return why there is nothing to show, or "". */
function noticeOn({ source, target }) {
  if (!source.labels.length) {
    return NO_SENTENCE;
  }
  return target.labels.length ? "" : NO_TRANSLATION;
}

/** Return the view that takes the place of one that needs the network. */
function missing(title) {
  const heading = element("h2", {}, title);
  return { element: element("div", {}, heading, element("p", {}, NEEDS_NETWORK)), update() {} };
}
