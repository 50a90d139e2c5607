import { readFileSync } from 'node:fs';
import { TEMPLATES } from './templates.ts';

test.each(Object.keys(TEMPLATES))('%s is what the program makes: npm run templates -w libs/documents', (file) => {
  const committed = readFileSync(new URL(`../../../../examples/sales/resources/${file}`, import.meta.url));
  expect(Buffer.compare(committed, TEMPLATES[file]?.() ?? Buffer.alloc(0))).toBe(0);
});
