import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './paths.ts';

const IMPORT = /import (?:type )?\{([^}]*)\} from '@lintel\/(application|metadata|security|http|test)'/g;

/** Names in braces of an import or export: `type A, b as c` names `A` and `b`. */
const namesIn = (list: string): readonly string[] =>
  list
    .split(',')
    .map((name) =>
      name
        .trim()
        .replace(/^type /, '')
        .replace(/ as .*$/, ''),
    )
    .filter((name) => name !== '');

test('the TypeScript API describes everything that examples, guides and the template import', () => {
  const described = new Map(
    globSync('tools/site/api/*.ts', { cwd: ROOT }).map((file) => [
      file.slice('tools/site/api/'.length, -'.ts'.length),
      readFileSync(join(ROOT, file), 'utf8'),
    ]),
  );
  const missing = globSync(['examples/*/src/**/*.ts', 'tools/lintel/template/**/*.ts', 'docs/**/*.md'], {
    cwd: ROOT,
    exclude: (path) => path.includes('node_modules'),
  }).flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(IMPORT)].flatMap(([, list = '', name = '']) => {
      const text = described.get(name) ?? '';
      if (text.includes('export *')) return [];
      const exported = new Set(namesIn(/export \{([\s\S]*?)\}/.exec(text)?.[1] ?? ''));
      return namesIn(list).flatMap((one) => (exported.has(one) ? [] : [`${file}: ${one} of @lintel/${name}`]));
    }),
  );
  expect(missing).toEqual([]);
});
