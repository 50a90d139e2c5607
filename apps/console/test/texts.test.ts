import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EVENT_GROUPS } from '../src/areas/people/logins/event-types.ts';

const SOURCES = fileURLToPath(new URL('../src/', import.meta.url));
const LANGUAGES = ['de', 'en'];
/** A key in a source: `text('area.data')`, also with values. */
const USED = /\btext\(\s*'([\w.-]+)'/g;

type Texts = Readonly<Record<string, string>>;
const read = (path: string): Texts => JSON.parse(readFileSync(join(SOURCES, path), 'utf8')) as Texts;
const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' });
const folders = [
  ...new Set(files.filter((file) => /(^|\/)texts\/[\w-]+\.json$/.test(file)).map((file) => join(file, '..'))),
];
const placeholdersOf = (text = ''): readonly string[] => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();

test.each(folders)('%s has the same texts with the same placeholders in all languages', (folder) => {
  const [german, english] = LANGUAGES.map((language) => read(join(folder, `${language}.json`)));
  expect(Object.keys(german ?? {})).toEqual(Object.keys(english ?? {}));
  expect(Object.keys(english ?? {})).toEqual(Object.keys(english ?? {}).toSorted());
  for (const [key, text] of Object.entries(english ?? {}))
    expect([key, placeholdersOf(german?.[key])]).toEqual([key, placeholdersOf(text)]);
});

test.each(folders)('%s has Chinese texts of English ones, with the same placeholders', (folder) => {
  const [chinese, english] = ['zh-CN', 'en'].map((language) => read(join(folder, `${language}.json`)));
  for (const [key, text] of Object.entries(chinese ?? {}))
    expect([key, placeholdersOf(text)]).toEqual([key, placeholdersOf(english?.[key])]);
});

test('every key that a source uses has a text, in the shell or in its area', () => {
  const shell = read('texts/en.json');
  const sources = files
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.test.ts'))
    .map((file) => ({ file, source: readFileSync(join(SOURCES, file), 'utf8') }));
  /** Its own area; areas whose texts the preview, which areas share, takes itself. */
  const areasOf = (file: string): readonly string[] =>
    file.startsWith('preview/')
      ? sources
          .filter((each) => each.file.startsWith('preview/'))
          .flatMap(({ source }) => [...source.matchAll(/<AreaTexts area="(\w+)"/g)].map(([, area = '']) => area))
      : [...file.matchAll(/^areas\/([^/]+)\//g)].map(([, area = '']) => area);
  const missing = sources.flatMap(({ file, source }) => {
    const own = folders.filter((folder) => areasOf(file).some((area) => folder.startsWith(`areas/${area}/`)));
    const known: Texts = Object.assign({ ...shell }, ...own.map((folder) => read(join(folder, 'en.json'))));
    return [...source.matchAll(USED)]
      .map(([, key = '']) => key)
      .filter((key) => known[key] === undefined && known[`${key}.other`] === undefined)
      .map((key) => `${relative('.', file)}: ${key}`);
  });
  expect(missing).toEqual([]);
});

test('every type of a security event has a text', () => {
  const texts = read('areas/people/texts/en.json');
  const types = Object.values(EVENT_GROUPS).flat();
  expect(types.filter((type) => texts[`event.${type}`] === undefined)).toEqual([]);
});

test('every permission of the platform has a name and a sentence', () => {
  const texts = read('areas/people/texts/en.json');
  const source = readFileSync(join(SOURCES, '../../../libs/security/src/roles/built-in-roles.ts'), 'utf8');
  const [, list = ''] = /SPECIFIC_PERMISSIONS = \[([^\]]+)\]/.exec(source) ?? [];
  const names = [...list.matchAll(/'([^']+)'/g)].map(([, name]) => name);
  expect(names).toContain('rest.enabled');
  expect(names.filter((name) => !texts[`permission.${name}`] || !texts[`permission.${name}.about`])).toEqual([]);
});

test('no text, and no caption of the platform, needs words of programmers', () => {
  const words =
    /fetch.?plan|\binstances?\b|\bpolic(y|ies)\b|outbox|dead.?letter|standalone|Instanz|Richtlinie|实例|策略/i;
  const catalogues = [
    ...folders.flatMap((folder) => [...LANGUAGES, 'zh-CN'].map((language) => join(folder, `${language}.json`))),
    ...['en', 'de', 'zh_CN'].map((language) => `../../../libs/application/src/messages/platform/${language}.json`),
  ];
  const found = catalogues.flatMap((path) =>
    Object.entries(read(path))
      // Rules of the model are named by attributes.
      .filter(([key, text]) => !key.startsWith('lintel.validation.') && words.test(text.replaceAll(/\{\w+\}/g, '')))
      .map(([key]) => `${path}: ${key}`),
  );
  expect(found).toEqual([]);
});
