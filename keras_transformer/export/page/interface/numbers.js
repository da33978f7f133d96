/** Numbers as text. */

/** Return a share or probability from 0 to 1 as a percentage: "83%", "0.4%", "<0.1%". */
export function percent(share) {
  if (share > 0 && share < 0.001) {
    return "<0.1%";
  }
  const value = share * 100;
  return value < 0.95 && value > 0 ? `${value.toFixed(1)}%` : `${roundedShare(value)}%`;
}

// A share below 1 is not called 100 %, because it is not certain.
function roundedShare(value) {
  return value < 100 && value >= 99.5
    ? Math.min(99.9, Math.floor(value * 10) / 10)
    : Math.round(value);
}

/** Return a number with a fixed number of decimals and a true minus sign: "−1.25". */
export function decimal(number, digits = 2) {
  const text = number.toFixed(digits);
  // What is rounded to 0 has no sign.
  return text.replace("-", Number(text) ? "−" : "");
}

/** Return a large number in words: "3.0 million", "12,345". */
export function large(number) {
  return number >= 1e6 ? `${(number / 1e6).toFixed(1)} million` : number.toLocaleString("en");
}
