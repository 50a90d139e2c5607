import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { ConfigurationError } from '../configuration-error.ts';
import { defineSettings } from '../declaring/define-settings.ts';
import { setting, settingMap } from '../declaring/setting.ts';
import { integerValue, listValue, portValue, textValue } from '../declaring/values.ts';
import { loadSettings } from '../loading/load-settings.ts';
import { platformSettings } from '../platform-settings.ts';
import { processSources } from './sources.ts';

const folder = mkdtempSync(join(tmpdir(), 'lintel-config-'));
afterAll(() => rmSync(folder, { recursive: true }));

const shape = defineSettings({
  configFile: platformSettings.configFile,
  secretsFolder: platformSettings.secretsFolder,
  port: setting('svc.gateway.port', portValue().default(8080), 'Port'),
  patterns: setting('svc.rest.anonymous-url-patterns', listValue().default([]), 'Patterns'),
  version: setting('svc.shop.version', textValue().optional(), 'Version'),
  secret: setting('svc.internal.secret', textValue().optional(), 'Secret', { secret: true }),
  sizes: settingMap('svc.rest.entity-max-fetch-size', integerValue({ min: 1 }), 'Sizes'),
  clients: settingMap(
    'svc.authserver.client',
    z.object({ 'client-id': textValue(), 'client-secret': textValue().optional(), roles: listValue().default([]) }),
    'Clients',
    { secretMembers: ['client-secret'] },
  ),
});

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}
const read = (environment: Record<string, string>) =>
  loadSettings(shape, processSources({ environment, knownKeys: ['svc.data.port'] }));
function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    read(environment);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
  return [];
}

test('a YAML file says the same as a properties file', () => {
  const yaml = file(
    'all.yml',
    `svc:
  gateway: { port: 9000 }
  rest:
    anonymousUrlPatterns: [/a/**, "/b"]
    entity-max-fetch-size:
      sales_Order: 5
  shop.version: 1.10
  authserver.client:
    my-app:
      client-id: app
      roles:
        - one
        - two
    my.other:
      clientId: other
other: ignored
---
svc.gateway.port: 9001
`,
  );
  const properties = file(
    'all.properties',
    `svc.gateway.port=9001
svc.rest.anonymous-url-patterns = /a/**,/b
svc.rest.entityMaxFetchSize[sales_Order]=5
svc.shop.version=1.10
svc.authserver.client.my-app.client-id=app
svc.authserver.client.my-app.roles[0]=one
svc.authserver.client.my-app.roles[1]=two
svc.authserver.client.my.other.client-id=other
`,
  );
  const fromYaml = read({ SVC_CONFIG_FILE: yaml });
  expect(fromYaml).toMatchObject({
    port: 9001,
    patterns: ['/a/**', '/b'],
    version: '1.10',
    sizes: { sales_Order: 5 },
    clients: { 'my-app': { 'client-id': 'app', roles: ['one', 'two'] }, 'my.other': { 'client-id': 'other' } },
  });
  expect({ ...read({ SVC_CONFIG_FILE: properties }), configFile: 0 }).toEqual({ ...fromYaml, configFile: 0 });
});

test('a problem names the line of the file, and no secret', () => {
  const yaml = file('wrong.yaml', 'svc:\n  gateway:\n    port: many\n    prot: 1\n  internal:\n    secret: ""\n');
  const properties = file(
    'wrong.properties',
    '# port\nsvc.gateway.port = \\\n  many\n\nsvc.internal.secrte=topsecret\n',
  );
  expect(problemsOf({ SVC_CONFIG_FILE: yaml })).toEqual([
    `svc.gateway.prot: no such property; did you mean svc.gateway.port? (${yaml}:4)`,
    `svc.gateway.port: expected a whole number from 0 to 65535, got "many" (${yaml}:3: svc.gateway.port)`,
    `svc.internal.secret: expected a text, got a secret that is not shown (${yaml}:6: svc.internal.secret)`,
  ]);
  expect(problemsOf({ SVC_CONFIG_FILE: properties })).toEqual([
    `svc.internal.secrte: no such property; did you mean svc.internal.secret? (${properties}:5)`,
    `svc.gateway.port: expected a whole number from 0 to 65535, got "many" (${properties}:2: svc.gateway.port)`,
  ]);
});

test('what is not YAML is named by its line, without its text; other problems are reported with it', () => {
  const broken = file('broken.yml', 'svc:\n  internal:\n    secret: "topsecret\n  bad: [\n');
  const problems = problemsOf({ SVC_CONFIG_FILE: `${broken}, ${folder}/none.yml`, SVC_GATEWAY_PORT: 'x' });
  expect(problems).toEqual([
    expect.stringMatching(/^svc\.config-file: .*broken\.yml cannot be read \(line \d is not YAML: [A-Z_]+\)$/),
    expect.stringMatching(/none\.yml cannot be read \(.*ENOENT/),
    expect.stringContaining('svc.gateway.port: expected'),
  ]);
  expect(problems.join()).not.toContain('topsecret');
  const list = file('list.yml', '- svc\n');
  expect(problemsOf({ SVC_CONFIG_FILE: list })[0]).toContain('a map is expected');
});

test('a folder of secret files, as Kubernetes mounts it, is between the files and the environment', () => {
  const secrets = join(folder, 'secrets');
  mkdirSync(join(secrets, '..2026_01_01', 'nothing'), { recursive: true });
  mkdirSync(join(secrets, 'svc', 'gateway'), { recursive: true });
  writeFileSync(join(secrets, '..2026_01_01', 'secret'), 'from a link\n');
  symlinkSync('..2026_01_01', join(secrets, '..data'));
  symlinkSync('..data/secret', join(secrets, 'svc.internal.secret'));
  writeFileSync(join(secrets, 'SVC_AUTHSERVER_CLIENT_APP_CLIENT_SECRET'), 'of the client');
  writeFileSync(join(secrets, 'svc', 'gateway', 'port'), '9002');
  writeFileSync(join(secrets, 'tls.crt'), 'ignored');
  const base = file(
    'base.yml',
    `svc:\n  secrets-folder: ${secrets}\n  gateway.port: 1\n  internal.secret: of the file\n`,
  );
  const environment = { SVC_CONFIG_FILE: base, SVC_AUTHSERVER_CLIENT_APP_CLIENT_ID: 'app' };
  expect(read(environment)).toMatchObject({
    port: 9002,
    secret: 'from a link',
    clients: { app: { 'client-id': 'app', 'client-secret': 'of the client' } },
  });
  expect(read({ ...environment, SVC_INTERNAL_SECRET: 'variable' }).secret).toBe('variable');
  writeFileSync(join(secrets, 'svc', 'gateway', 'port'), 'topsecret');
  expect(problemsOf(environment)).toEqual([
    `svc.gateway.port: expected a whole number from 0 to 65535, got a secret that is not shown (${secrets}: svc.gateway.port)`,
  ]);
  expect(problemsOf({ SVC_SECRETS_FOLDER: join(folder, 'nowhere') })[0]).toContain('svc.secrets-folder: ');
});

test('items of a list come with their numbers, in brackets or at the end of a variable', () => {
  expect(
    read({
      SVC_REST_ANONYMOUS_URL_PATTERNS_1: '/b',
      SVC_REST_ANONYMOUS_URL_PATTERNS_0: '/a',
      SVC_AUTHSERVER_CLIENT_APP_CLIENT_ID: 'app',
      SVC_AUTHSERVER_CLIENT_APP_ROLES_0_: 'one',
    }),
  ).toMatchObject({ patterns: ['/a', '/b'], clients: { app: { roles: ['one'] } } });
  const base = file('base.properties', 'svc.rest.anonymous-url-patterns[0]=/x\nsvc.rest.anonymousUrlPatterns[1]=/y\n');
  // A later source replaces a list as a whole.
  expect(read({ SVC_CONFIG_FILE: base, SVC_REST_ANONYMOUS_URL_PATTERNS_0: '/a' }).patterns).toEqual(['/a']);
  expect(problemsOf({ SVC_REST_ANONYMOUS_URL_PATTERNS_1: '/b' })).toEqual([
    'SVC_REST_ANONYMOUS_URL_PATTERNS: has no item 0, but later ones (environment)',
  ]);
  expect(problemsOf({ SVC_REST_ANONYMOUS_URL_PATTERNS_0: '/b', SVC_REST_ANONYMOUS_URL_PATTERNS: '/a' })).toEqual([
    'SVC_REST_ANONYMOUS_URL_PATTERNS: is given as a whole and by items (environment)',
  ]);
  expect(problemsOf({ SVC_GATEWAY_PORT_0: '1' })).toEqual([
    'SVC_GATEWAY_PORT_0: no such property; did you mean svc.gateway.port? (environment)',
  ]);
});

test('an unknown key is explained by the properties of other services, too', () => {
  expect(problemsOf({ SVC_DATA_PROT: '1' })).toEqual([
    'SVC_DATA_PROT: no such property; did you mean svc.data.port? (environment)',
  ]);
});

test('placeholders are filled in by properties, variables and defaults', () => {
  const yaml = file(
    'placeholders.yml',
    `svc.shop.version: "\${svc.gateway.port}-\${STAGE:test}-\${NONE:\${svc.internal.secret}}-\\\\\${kept}"
svc.internal.secret: \${PASSWORD}
svc.gateway.port: \${base.port:1}
base.port: 9003
`,
  );
  const environment = { SVC_CONFIG_FILE: yaml, PASSWORD: `a\${b` };
  expect(read(environment)).toMatchObject({ port: 9003, version: `9003-test-a\${b-\${kept}`, secret: `a\${b` });
  expect(read({ ...environment, STAGE: 'live', SVC_GATEWAY_PORT: '1' }).version).toBe(`1-live-a\${b-\${kept}`);
  expect(read({ SVC_SHOP_VERSION: `\${STAGE}` }).version).toBe(`\${STAGE}`);
});

test('a placeholder that nothing fills in is a problem that names it and its line', () => {
  const yaml = file(
    'unfilled.yml',
    `svc.shop.version: \${NOWHERE}\nsvc.internal.secret: \${svc.internal.secret}\nsvc.gateway.port: \${OPEN\n`,
  );
  expect(problemsOf({ SVC_CONFIG_FILE: yaml })).toEqual(
    expect.arrayContaining([
      `svc.shop.version: \${NOWHERE} is set nowhere and has no default (${yaml}:1)`,
      `svc.internal.secret: its placeholders lead back to itself (${yaml}:2)`,
      `svc.gateway.port: a placeholder has no closing brace (${yaml}:3)`,
    ]),
  );
});
