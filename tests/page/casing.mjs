import { readFileSync } from "node:fs";
import { withoutCapitals } from "../../keras_transformer/export/page/engine/casing.js";

const [language, sentences] = JSON.parse(readFileSync(0));
process.stdout.write(JSON.stringify(sentences.map((each) => withoutCapitals(each, language))));
