import { readdirSync, readFileSync } from 'node:fs';

const folder = new URL('./', import.meta.url);

test('exchanges, queues and bindings are declared in one file', () => {
  const declaring = readdirSync(folder)
    .filter((name) => name.endsWith('.ts') && !name.includes('.test.'))
    .filter((name) => /\.(assert|bind)(Exchange|Queue)\(/.test(readFileSync(new URL(name, folder), 'utf8')));
  expect(declaring).toEqual(['topology.ts']);
});
