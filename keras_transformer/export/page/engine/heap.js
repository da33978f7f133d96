/** A priority queue as a binary heap. */

export class Heap {
  /** @param isBefore function of two items: whether the first one leaves the queue earlier. */
  constructor(isBefore) {
    this.isBefore = isBefore;
    this.items = [];
  }

  get size() {
    return this.items.length;
  }

  push(item) {
    const { items } = this;
    let place = items.push(item) - 1;
    while (place > 0 && this.isBefore(item, items[parentOf(place)])) {
      items[place] = items[parentOf(place)];
      place = parentOf(place);
    }
    items[place] = item;
  }

  /** Remove the first item of a queue that is not empty, and return it. */
  pop() {
    const [first, last] = [this.items[0], this.items.pop()];
    if (this.items.length) {
      this.sink(last);
    }
    return first;
  }

  /** Put an item in place of the first one. */
  sink(item) {
    const { items } = this;
    let place = 0;
    let child = this.earlierChild(place);
    while (child < items.length && this.isBefore(items[child], item)) {
      items[place] = items[child];
      place = child;
      child = this.earlierChild(place);
    }
    items[place] = item;
  }

  earlierChild(place) {
    const [left, right] = [2 * place + 1, 2 * place + 2];
    const isRight = right < this.items.length && this.isBefore(this.items[right], this.items[left]);
    return isRight ? right : left;
  }
}

function parentOf(place) {
  return (place - 1) >> 1;
}
