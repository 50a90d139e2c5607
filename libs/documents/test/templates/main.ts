import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { TEMPLATES } from './templates.ts';

/** `npm run templates -w libs/documents`: writes the binary templates. */
for (const [file, make] of Object.entries(TEMPLATES)) {
  writeFileSync(fileURLToPath(new URL(`../../../../examples/sales/resources/${file}`, import.meta.url)), make());
  process.stdout.write(`${file}\n`);
}
