import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { noticesOf } from './write-notices.mjs';

const root = mkdtempSync(join(tmpdir(), 'lintel-notices-'));
afterAll(() => rmSync(root, { recursive: true }));

/** A package with files; returns its folder. */
function add(name: string, files: Readonly<Record<string, string>>): string {
  const folder = join(root, name);
  const all = { 'package.json': JSON.stringify({ name, version: '1.0.0', license: 'MIT' }), ...files };
  for (const [file, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  return folder;
}

test('the notices have all licence texts of each package, also those of its folder licenses', () => {
  const charts = add('charts', { NOTICE: 'Of the charts.', LICENSE: 'Apache.', 'licenses/LICENSE-d3': 'BSD.\n' });
  const ansi = add('ansi', { 'licence.md': 'ISC.', 'license/index.js': 'no text' });
  expect(noticesOf([charts, ansi]).text).toBe(
    `${['# Packages whose code is part of this package', '## ansi 1.0.0 (MIT)', 'ISC.', '## charts 1.0.0 (MIT)', 'Apache.', 'Of the charts.', 'BSD.'].join('\n\n')}\n`,
  );
});

test.each([
  ['typeorm', 'Yakdu'],
  ['koa-compose', 'TJ Holowaychuk'],
  ['@nodable/entities', 'Amit Gupta'],
])('the licence of %s, which its package does not have, is stored here', (name, holder) => {
  const { text } = noticesOf([add(name, { 'README.md': 'MIT' })]);
  expect(text).toContain(`## ${name} 1.0.0 (MIT)\n\n`);
  expect(text).toMatch(new RegExp(`Copyright \\(c\\).*${holder}[\\s\\S]*Permission is hereby granted`));
});

test.each([
  ['bare', {}],
  ['noticed', { NOTICE: 'Of somebody.' }],
  ['empty', { LICENSE: '\n' }],
])('a package without a licence text (%s) is refused', (name, files) => {
  expect(() => noticesOf([add(name, files)])).toThrow(
    `${name} 1.0.0 has no licence text: store it in tools/pack/licences/${name}.txt`,
  );
});
