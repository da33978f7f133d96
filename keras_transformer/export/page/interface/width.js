/** The width of the page, on which the sizes of pictures depend. */

const DELAY = 150; // ms without a change

/** Call a function after the width of the window has changed. */
export function onWidthChanged(listener) {
  let width = innerWidth;
  let timer = null;
  const notify = () => {
    if (innerWidth !== width) {
      width = innerWidth;
      listener();
    }
  };
  addEventListener("resize", () => {
    clearTimeout(timer);
    timer = setTimeout(notify, DELAY);
  });
}
