/** Writes the value of every half-precision number as a string. */

import { writeFileSync } from "node:fs";
import { fromHalf } from "../../keras_transformer/export/page/engine/weights.js";

const values = Array.from({ length: 2 ** 16 }, (_, bits) => String(fromHalf(bits)));
writeFileSync(1, JSON.stringify(values));
