import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { searchOptions } from './search-options.ts';

const DOCS = fileURLToPath(new URL('../../docs/', import.meta.url));

test('guides rank before the contract, the contract before the reference, and decisions and generated types last', () => {
  const ids = [
    '/lintel/guide/reading#filters',
    '/lintel/contract/filters#operators',
    '/lintel/reference/config#svc-rest',
    '/lintel/adr/0001-pure-core#decision',
    '/lintel/reference/typescript/metadata/functions/standardEntity',
  ];
  const boosts = ids.map((id) => searchOptions.boostDocument(id));
  expect(boosts).toEqual([...boosts].sort((one, other) => other - one));
  expect(new Set(boosts.slice(0, 4)).size).toBe(4);
});

test('a word of other products is also searched by the word of these pages, and other words stay', () => {
  const pages = globSync(['guide/*.md', 'not-included.md'], { cwd: DOCS }).map((file) =>
    readFileSync(`${DOCS}${file}`, 'utf8').toLowerCase(),
  );
  for (const word of ['watch', 'Reload', 'cron', 'audit', 'upsert', 'GDPR', 'acl', 'rls', 'seed']) {
    const [own, known = ''] = searchOptions.processTerm(word);
    expect([word, own]).toEqual([word, word.toLowerCase()]);
    expect([word, known, pages.some((text) => text.includes(known))]).toEqual([word, known, true]);
    expect(known).not.toBe('');
  }
  expect(searchOptions.processTerm('Order')).toBe('order');
});
