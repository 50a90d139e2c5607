import { violationsOf } from '../violations-of.ts';

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
      'libs/query/src/a.ts': "import '@lintel/security';",
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
    ['tokens/oauth/send-oauth.ts', "import type { Response } from 'express';"],
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
