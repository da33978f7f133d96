import { readFileSync } from "node:fs";
import { Subwords } from "../../keras_transformer/export/page/engine/subwords.js";

const { data, texts, rows } = JSON.parse(readFileSync(0));
const subwords = new Subwords(data);
const { start, end, size } = subwords;
const encoded = texts.map((text) => subwords.encode(text));
const decoded = rows.map((ids) => subwords.decode(ids));
const labels = subwords.labels([...Array(size).keys()]);
process.stdout.write(JSON.stringify({ start, end, size, encoded, decoded, labels }));
