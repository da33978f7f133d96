/** Requests to the network, of which those that are no longer needed are dropped. */

const REMEMBERED = 200; // answers, among them those for all sentences of a long text

/** Runs requests one after the other. */
export class Queue {
  #run;
  #waiting = [];
  #isBusy = false;

  /** @param run function (method, arguments) that returns a promise of the answer. */
  constructor(run) {
    this.#run = run;
  }

  /**
   * Return a promise of the answer to a request.
   *
   * @param isWanted function that returns whether the answer is still needed. If it is not, the
   *     promise is never settled, and the request is not sent if it is still waiting.
   */
  ask(method, given, isWanted) {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ method, given, isWanted, resolve, reject });
      this.#next();
    });
  }

  async #next() {
    this.#waiting = this.#waiting.filter(({ isWanted }) => isWanted());
    if (this.#isBusy || !this.#waiting.length) {
      return;
    }
    this.#isBusy = true;
    await this.#settle(this.#waiting.shift());
    this.#isBusy = false;
    this.#next();
  }

  async #settle({ method, given, isWanted, resolve, reject }) {
    try {
      const answer = await this.#run(method, given);
      if (isWanted()) {
        resolve(answer);
      }
    } catch (error) {
      if (isWanted()) {
        reject(error);
      }
    }
  }
}

/** The requests of one part of the page. Each method of the network is a method of the client. */
export class Client {
  #turn = 0;

  /**
   * @param queue the `Queue`, which all clients share.
   * @param description the block `model` of the page.
   * @param methods names of the methods.
   */
  constructor(queue, description, methods) {
    this.description = description;
    this.local = description.server === null;
    for (const method of methods) {
      this[method] = (given = {}) => {
        const turn = this.#turn;
        return queue.ask(method, given, () => turn === this.#turn);
      };
    }
  }

  /** Drop all requests that are not answered yet. Code that awaits an answer does not continue. */
  renew() {
    this.#turn++;
  }
}

/** Return a function that does what `run` does, but remembers the newest answers. */
export function remembering(run) {
  const answers = new Map();
  return async (method, given) => {
    const key = method + JSON.stringify(given);
    const answer = answers.get(key) ?? (await run(method, given));
    answers.delete(key);
    answers.set(key, answer); // the newest is last
    if (answers.size > REMEMBERED) {
      answers.delete(answers.keys().next().value);
    }
    return answer;
  };
}
