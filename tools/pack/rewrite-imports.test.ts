import { exportedFiles, rewriteImports } from './rewrite-imports.mjs';

const EXPORTED = exportedFiles([
  {
    name: '@lintel/config',
    description: { exports: { '.': { default: './dist/index.js' }, './environment': './dist/environment.js' } },
  },
  {
    name: '@lintel/errors',
    description: { exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } } },
  },
]);

test.each([
  ['cli/dist/main.js', "import '@lintel/config/environment';", "import '../../config/dist/environment.js';"],
  ['cli/dist/a/b.js', 'export { x } from "@lintel/errors";', "export { x } from '../../../errors/dist/index.js';"],
  ['errors/dist/a.js', "await import('@lintel/errors')", "await import('./index.js')"],
  ['a/dist/b.d.ts', "type A = import('@lintel/errors').A;", "type A = import('../../errors/dist/index.js').A;"],
  ['a/dist/b.js', "export * from '@lintel/errors';", "export * from '../../errors/dist/index.js';"],
])('an import in %s becomes relative: %s', (path, text, expected) => {
  expect(rewriteImports(text, path, EXPORTED)).toBe(expected);
});

test.each([
  "import { A } from '@lintel/client';",
  "const used = ['@lintel/errors'];",
  "const code = `import { x } from '@lintel/errors';`;",
  "import x from 'express';",
  "import './x.js';",
])('%s stays', (text) => {
  expect(rewriteImports(text, 'cli/dist/main.js', EXPORTED)).toBe(text);
});

test('an import of what no package exports is named', () => {
  expect(() => rewriteImports("import '@lintel/config/secret';", 'cli/dist/main.js', EXPORTED)).toThrow(
    'cli/dist/main.js imports @lintel/config/secret, which is in none of the packed packages',
  );
});
