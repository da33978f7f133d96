// Reads [{entry: URL of a module, bundle: script}] from standard input, evaluates each entry as a
// module and each bundle as a script, and writes [{modules, bundle}]: what they append to `found`.
import { readFileSync } from "node:fs";

const results = [];
for (const { entry, bundle } of JSON.parse(readFileSync(0, "utf8"))) {
  globalThis.found = [];
  await import(entry);
  const modules = globalThis.found;
  globalThis.found = [];
  (0, eval)(bundle);
  results.push({ modules, bundle: globalThis.found });
}
process.stdout.write(JSON.stringify(results));
