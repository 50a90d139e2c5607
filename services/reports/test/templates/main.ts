import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { TEMPLATES } from './templates.ts';

/** `npm run templates -w services/reports`: makes the binary templates anew. */
for (const [place, make] of Object.entries(TEMPLATES)) {
  writeFileSync(fileURLToPath(new URL(`../../../../examples/sales/resources/${place}`, import.meta.url)), make());
  process.stdout.write(`${place}\n`);
}
