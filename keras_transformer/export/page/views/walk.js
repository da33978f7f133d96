/** The translation that the steps walk through: the network's, a changed one, or a typed one. */

const CHOSEN = "*"; // marks the ids that the reader chose, in the state's `prefix`
const COUNT = 5; // most probable subwords of each step
const SPARE = 5; // more that are requested, because some ids are never generated

/**
 * Return the translation to walk through, with the network's predictions for it.
 *
 * @param backend what computes.
 * @param values of the state. `prefix` takes precedence over `target`.
 * @param result of the network's own translation.
 * @returns promise of {kind: "network", "changed" or "own", source and target: sides, translation,
 *     truncated, chosen: steps whose subword the reader chose, probabilities, best, logProbability
 *     and cross: see `forced` of the backend, network: {ids, translation, logProbability} of the
 *     network's own}. Steps are counted from 1.
 */
export async function walkOf(backend, values, result) {
  const { source } = result;
  const found = await walked(backend, values, result);
  const given = { source: source.ids, off: [] };
  const [predictions, logProbability] = await Promise.all([
    backend.forced({ ...given, target: found.target.ids, count: COUNT + SPARE }),
    backend.logProbability({ ...given, target: result.target.ids }),
  ]);
  const { probabilities, attention } = predictions;
  const { never } = backend.description;
  const best = predictions.best.map((each) =>
    each.filter(({ id }) => !never.includes(id)).slice(0, COUNT),
  );
  const network = { ids: result.target.ids, translation: result.translation, logProbability };
  return {
    ...found,
    source,
    probabilities,
    best,
    logProbability: predictions.logProbability,
    cross: attention.cross,
    network,
  };
}

/** Return {kind, target, translation, truncated, chosen} of the translation to walk through. */
async function walked(backend, values, result) {
  const { ids, chosen } = parsed(values.prefix, backend.description);
  if (ids.length) {
    const prefix = [result.target.ids[0], ...ids];
    const search = { beamSize: values.beam, lengthPenalty: values.penalty };
    const given = { source: result.source.ids, prefix, search, off: [] };
    return described("changed", await backend.continued(given), chosen);
  }
  const { truncated, ...target } = await backend.encodeTarget({ text: values.target });
  if (target.ids.length) {
    return described("own", { target, translation: values.target, truncated });
  }
  return described("network", { target: result.target, translation: result.translation });
}

function described(kind, { target, translation, truncated = false }, chosen = []) {
  return { kind, target, translation, truncated, chosen };
}

/** Return {ids, chosen: steps} of a prefix such as "12.7*"; both are empty if it is not valid. */
function parsed(prefix, { network, never }) {
  const parts = prefix.split(".").map((part) => /^(\d{1,7})(\*?)$/.exec(part));
  const ids = parts.map((part) => Number(part?.[1]));
  const end = network.target_vocab_size - 1;
  const isWritable = (id) => id <= end && !never.includes(id);
  const isValid = ids.every(isWritable) && !ids.slice(0, -1).includes(end);
  if (!isValid || ids.length >= network.max_target_length) {
    return { ids: [], chosen: [] };
  }
  const steps = ids.map((_, i) => i + 1);
  return { ids, chosen: steps.filter((step) => parts[step - 1][2] || step === ids.length) };
}

/**
 * Return what the state becomes if the reader chooses another subword.
 *
 * @param walk what `walkOf` returned.
 * @param step its number.
 * @param id of the chosen subword. A prefix with which the network's own translation begins changes
 *     nothing.
 */
export function withChoice({ target, chosen, network }, step, id) {
  const ids = [...target.ids.slice(1, step), id];
  const all = [...chosen.filter((each) => each < step), step];
  const parts = ids.map((each, i) => `${each}${all.includes(i + 1) ? CHOSEN : ""}`);
  const isNetwork = ids.every((each, i) => each === network.ids[i + 1]);
  return { step, target: "", prefix: isNetwork ? "" : parts.join(".") };
}
