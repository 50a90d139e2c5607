import { violationsOf } from '../violations-of.ts';

describe('declared dependencies', () => {
  test('a source imports what its dependencies list', () => {
    const sources = {
      'libs/cache/src/a.ts':
        "import 'lru-cache';\nimport '@lintel/errors';\nimport 'undeclared';\nimport 'dev';\nimport 'fast-check';",
    };
    const packages = { 'libs/cache': { dependencies: ['lru-cache', '@lintel/errors'], devDependencies: ['dev'] } };
    expect(violationsOf('declared-dependencies', sources, packages)).toEqual([
      'libs/cache/src/a.ts:3 imports undeclared, which libs/cache/package.json does not declare',
      'libs/cache/src/a.ts:4 imports dev, which libs/cache/package.json does not declare',
      'libs/cache/src/a.ts:5 imports fast-check, which libs/cache/package.json does not declare',
    ]);
  });

  test('a test may use devDependencies and the tools of the root, types may come from @types', () => {
    const sources = {
      'libs/cache/src/a.test.ts': "import 'dev';\nimport 'fast-check';\nimport '@lintel/cache';",
      'libs/cache/src/a.ts': "import type { Request } from 'express';\nimport { type X } from '@scope/typed';",
    };
    const packages = { 'libs/cache': { devDependencies: ['dev', '@types/express', '@types/scope__typed'] } };
    expect(violationsOf('declared-dependencies', sources, packages)).toEqual([]);
  });
});

test('references follow the dependencies', () => {
  const packages = {
    'libs/cache': {
      dependencies: ['@lintel/errors', '@lintel/contracts', 'ioredis'],
      references: ['libs/errors', 'libs/http'],
    },
  };
  expect(violationsOf('project-references', {}, packages)).toEqual([
    'libs/cache/tsconfig.json:1 has no reference to libs/contracts (@lintel/contracts)',
    'libs/cache/tsconfig.json:1 refers to libs/http, which libs/cache/package.json does not depend on',
  ]);
});

test('packages form no ring, not even through devDependencies', () => {
  const packages = {
    'libs/query': { devDependencies: ['@lintel/persistence'] },
    'libs/persistence': { dependencies: ['@lintel/telemetry'] },
    'libs/telemetry': { dependencies: ['@lintel/query', '@lintel/errors'] },
  };
  expect(violationsOf('no-package-cycle', {}, packages)).toEqual([
    'libs/persistence/package.json:1 is part of the ring @lintel/persistence, @lintel/telemetry, @lintel/query',
  ]);
});

test('folders of a package that import each other are reported once, files above them are free', () => {
  const sources: Record<string, string> = {
    'libs/query/src/a/one.ts': "import { x } from '../b/two.ts';\nimport { z } from '../index.ts';",
    'libs/query/src/b/two.ts': "import { y } from '../c/deep/three.ts';",
    'libs/query/src/c/deep/three.ts': "import { x } from '../../a/one.ts';\nimport { y } from '../y.ts';",
    'libs/query/src/d/four.ts': "import type { X } from '../a/one.ts';\nimport { type Y, type Z } from '../e/five.ts';",
    'libs/query/src/e/five.ts': "import { x } from '../d/four.ts';",
    'libs/query/src/index.ts': "export * from './a/one.ts';",
  };
  expect(violationsOf('no-folder-cycle', sources)).toEqual([
    'libs/query/src/a/one.ts:1 is part of a ring of values in libs/query/src (a, b, c)',
    'libs/query/src/a/one.ts:1 is part of a ring of types in libs/query/src (a, b, c)',
    'libs/query/src/d/four.ts:2 is part of a ring of types in libs/query/src (d, e)',
  ]);
  sources['libs/query/src/b/two.ts'] = "import type { Y } from '../c/deep/three.ts';";
  expect(violationsOf('no-folder-cycle', sources)).toEqual([
    'libs/query/src/a/one.ts:1 is part of a ring of types in libs/query/src (a, b, c)',
    'libs/query/src/d/four.ts:2 is part of a ring of types in libs/query/src (d, e)',
  ]);
});

test('a source that cannot be parsed is reported', () => {
  expect(violationsOf('readable-source', { 'libs/http/src/a.ts': 'const a = 1;\nconst = ;' })).toEqual([
    expect.stringMatching(/^libs\/http\/src\/a\.ts:2 /),
  ]);
});

test('a file that is imported is one that git has, or a build makes', () => {
  const sources = {
    'libs/cache/src/a.ts': "import './b.ts';\nimport './coverage/c.ts';\nimport '../dist/d.js';",
    'libs/cache/src/b.ts': '',
  };
  expect(violationsOf('imports-are-kept', sources, { 'libs/cache': {} })).toEqual([
    'libs/cache/src/a.ts:2 imports ./coverage/c.ts, which git ignores or does not have',
  ]);
});
