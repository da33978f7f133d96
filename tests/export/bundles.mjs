// Reads [{entry: URL of a module, bundle: script}] from standard input, evaluates each entry as a
// module and each bundle as a script, and writes [{modules, bundle}]: what they append to `found`.
import { readFileSync } from "node:fs";
import { runInThisContext } from "node:vm";

const results = [];
for (const { entry, bundle } of JSON.parse(readFileSync(0, "utf8"))) {
  globalThis.found = [];
  await import(entry);
  const modules = globalThis.found;
  globalThis.found = [];
  runInThisContext(`(() => {\n${bundle}\n})()`);
  results.push({ modules, bundle: globalThis.found });
}
process.stdout.write(JSON.stringify(results));
