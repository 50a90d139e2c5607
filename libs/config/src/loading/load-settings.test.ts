import { z } from 'zod';
import { ConfigurationError } from '../configuration-error.ts';
import { defineSettings } from '../declaring/define-settings.ts';
import { setting, settingMap } from '../declaring/setting.ts';
import { booleanValue, integerValue, listValue, portValue, textValue } from '../declaring/values.ts';
import type { PropertySource } from '../sources/property-source.ts';
import type { SettingSources } from '../sources/sources.ts';
import { loadSettings } from './load-settings.ts';

const settings = defineSettings({
  port: setting('svc.gateway.port', portValue().default(8080), 'Port'),
  rest: {
    inline: setting('svc.rest.inline-fetch-plan-enabled', booleanValue().default(true), 'Inline plans'),
    patterns: setting('svc.rest.anonymous-url-patterns', listValue().default([]), 'Patterns'),
  },
  token: setting('svc.core.entitySerializationTokenRequired', booleanValue().default(false), 'Token'),
  secret: setting('svc.internal.secret', textValue().optional(), 'Secret', { secret: true }),
  sizes: settingMap('svc.rest.entity-max-fetch-size', integerValue({ min: 1 }), 'Sizes'),
  clients: settingMap(
    'svc.authserver.client',
    z.object({ 'client-id': textValue(), 'client-secret': textValue().optional(), roles: listValue().default([]) }),
    'Clients',
    { secretMembers: ['client-secret'] },
  ),
});

const source = (kind: PropertySource['kind'], values: Record<string, string>): PropertySource => ({
  label: kind,
  kind,
  values,
});
const load = (sources: readonly PropertySource[], more: Partial<SettingSources> = {}) =>
  loadSettings(settings, {
    sources,
    readSecretFile: (path) => {
      if (path !== '/run/secret') throw new Error('ENOENT');
      return 'from file';
    },
    ...more,
  });
const fromEnvironment = (values: Record<string, string>, more: Partial<SettingSources> = {}) =>
  load([source('environment', values)], more);
const problemsOf = (work: () => unknown): readonly string[] => {
  try {
    work();
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
  return [];
};

test('without sources the defaults hold and the result is frozen at every depth', () => {
  const loaded = load([]);
  expect(loaded).toMatchObject({ port: 8080, rest: { inline: true, patterns: [] }, sizes: {}, clients: {} });
  expect(loaded.secret).toBeUndefined();
  expect(Object.isFrozen(loaded)).toBe(true);
  expect(Object.isFrozen(loaded.rest)).toBe(true);
  expect(Object.isFrozen(loaded.rest.patterns)).toBe(true);
});

test.each([
  ['svc.rest.inline-fetch-plan-enabled'],
  ['svc.rest.inlineFetchPlanEnabled'],
  ['svc.rest.inline_fetch_plan_enabled'],
  ['SVC_REST_INLINE_FETCH_PLAN_ENABLED'],
  ['SVC_REST_INLINEFETCHPLANENABLED'],
])('%s is the same key', (key) => {
  expect(fromEnvironment({ [key]: 'false' }).rest.inline).toBe(false);
});

// Asserts contract/decisions.md#40.
test('a camel-case name has kebab-case and environment spellings too', () => {
  expect(fromEnvironment({ SVC_CORE_ENTITY_SERIALIZATION_TOKEN_REQUIRED: 'true' }).token).toBe(true);
  expect(fromEnvironment({ 'svc.core.entity-serialization-token-required': 'true' }).token).toBe(true);
});

// Asserts contract/tokens.md#url-patterns.
test('later sources win: application, file, environment', () => {
  const sources = [
    source('application', { 'svc.gateway.port': '1' }),
    source('file', { 'svc.gateway.port': '2', 'svc.rest.anonymousUrlPatterns': '/a, /b' }),
    source('environment', { SVC_GATEWAY_PORT: '3', PATH: '/bin' }),
  ];
  expect(load(sources).port).toBe(3);
  expect(load(sources.slice(0, 2)).port).toBe(2);
  expect(load(sources).rest.patterns).toEqual(['/a', '/b']);
});

test('a list that joins the one of the application has the items of both, whichever source the others are from', () => {
  const joined = { patterns: setting('svc.rest.anonymous-url-patterns', listValue(), 'x', { joinsApplication: true }) };
  const own = source('application', { 'svc.rest.anonymous-url-patterns': '/a, /b' });
  const file = source('file', { 'svc.rest.anonymous-url-patterns': '/c' });
  const environment = source('environment', { SVC_REST_ANONYMOUS_URL_PATTERNS: '/b,/d' });
  const patternsOf = (...sources: (typeof own)[]) =>
    loadSettings(joined, { sources, readSecretFile: () => '' }).patterns;
  expect(patternsOf(own)).toEqual(['/a', '/b']);
  expect(patternsOf(own, file)).toEqual(['/a', '/b', '/c']);
  expect(patternsOf(own, file, environment)).toEqual(['/a', '/b', '/d']);
  expect(patternsOf(file, environment)).toEqual(['/b', '/d']);
});

test('all problems are reported together, each naming the key and what is expected', () => {
  expect(
    problemsOf(() =>
      fromEnvironment({
        SVC_GATEWAY_PORT: '70000',
        SVC_REST_INLINE_FETCH_PLAN_ENABLED: 'maybe',
        SVC_GATEWAY_PROT: '1',
        SVC_NOTHING_LIKE_IT: 'x',
      }),
    ),
  ).toEqual([
    'SVC_GATEWAY_PROT: no such property; did you mean svc.gateway.port? (environment)',
    'SVC_NOTHING_LIKE_IT: no such property (environment)',
    'svc.gateway.port: expected a whole number from 0 to 65535, got "70000" (environment: SVC_GATEWAY_PORT)',
    'svc.rest.inline-fetch-plan-enabled: expected true or false, got "maybe" (environment: SVC_REST_INLINE_FETCH_PLAN_ENABLED)',
  ]);
});

test('a property that was removed is refused with what to do', () => {
  const settled = { SVC_GATEWAY_DATA_TIMEOUT: '1m', 'svc.webhooks.concurrency': '5' };
  expect(problemsOf(() => fromEnvironment(settled))).toEqual([
    'SVC_GATEWAY_DATA_TIMEOUT: no such property: use svc.gateway.upstream-timeout, which is the same for all services but auth (environment)',
    'svc.webhooks.concurrency: no such property: it is a constant now; remove it (environment)',
  ]);
});

test('a removed member of a map is refused with what to do, for every name', () => {
  const storage = z.object({ path: textValue() });
  const shape = defineSettings({ storages: settingMap('svc.files.storage', storage, 'Storages') });
  const values = { SVC_FILES_STORAGE_FS_TIMEOUT_SECONDS: '5', 'svc.files.storage.fs.parts-in-memory': '2' };
  const sources = [{ label: 'environment', kind: 'environment', values } as const];
  expect(problemsOf(() => loadSettings(shape, { sources, readSecretFile: () => '' }))).toEqual([
    'SVC_FILES_STORAGE_FS_TIMEOUT_SECONDS: no such property: use timeout, with a unit: svc.files.storage.fs.timeout=30s (environment)',
    'svc.files.storage.fs.parts-in-memory: no such property: it is a constant now; remove it (environment)',
  ]);
});

test('a number in a shape is a constant without a property', () => {
  const shape = defineSettings({ limits: { maxWaiting: 5 } });
  expect(loadSettings(shape, { sources: [], readSecretFile: () => '' })).toEqual({ limits: { maxWaiting: 5 } });
});

test('a required setting that nothing names is reported with its environment spelling', () => {
  const shape = defineSettings({ url: setting('svc.datasource.url', textValue(), 'Database') });
  expect(problemsOf(() => loadSettings(shape, { sources: [], readSecretFile: () => '' }))).toEqual([
    'svc.datasource.url (SVC_DATASOURCE_URL): is required, expected a text',
  ]);
});

test('keys of other services stop nothing', () => {
  const known = { knownKeys: ['svc.files.port', 'svc.files.storage.*', 'svc.data.secret'] };
  expect(
    fromEnvironment({ SVC_FILES_PORT: '1', SVC_FILES_STORAGE_FS_PATH: 'x', SVC_DATA_SECRET_FILE: 'y' }, known).port,
  ).toBe(8080);
  expect(problemsOf(() => load([source('file', { 'svc.sales.own': '1' })]))).toHaveLength(1);
  expect(problemsOf(() => load([source('file', { 'sales.own': '1' })]))).toEqual([]);
});

test('unknown properties of the application stop the start as well; others are for placeholders', () => {
  const declared = { 'svc.gateway.prot': '1', 'svc.sales.own': '1', 'scv.gateway.port': '1', 'sales.own': '1' };
  expect(problemsOf(() => load([source('application', declared)]))).toEqual([
    'svc.gateway.prot: no such property; did you mean svc.gateway.port? (application)',
    'svc.sales.own: no such property (application)',
    'scv.gateway.port: no such property; did you mean svc.gateway.port? (application)',
  ]);
});

test('two spellings of one key with different values in one source are ambiguous', () => {
  expect(problemsOf(() => fromEnvironment({ SVC_GATEWAY_PORT: '1', 'svc.gateway.port': '2' }))).toHaveLength(1);
  expect(fromEnvironment({ SVC_GATEWAY_PORT: '1', 'svc.gateway.port': '1' }).port).toBe(1);
});

test('a secret comes from a file named by the key with _FILE and is never shown', () => {
  expect(fromEnvironment({ SVC_INTERNAL_SECRET_FILE: '/run/secret' }).secret).toBe('from file');
  expect(problemsOf(() => fromEnvironment({ SVC_INTERNAL_SECRET_FILE: '/missing' }))[0]).toContain('/missing');
  expect(problemsOf(() => fromEnvironment({ SVC_INTERNAL_SECRET: ' ' })).join()).toContain('not shown');
  expect(problemsOf(() => fromEnvironment({ SVC_GATEWAY_PORT_FILE: '/run/secret' }))).toHaveLength(1);
});

describe('map keys', () => {
  const entities = { mapKeys: { 'svc.rest.entity-max-fetch-size': ['sales_Order', 'sales_OrderLine'] } };

  test('match known names without regard to separators and case', () => {
    expect(
      fromEnvironment(
        { SVC_REST_ENTITY_MAX_FETCH_SIZE_SALES_ORDER: '5', 'svc.rest.entityMaxFetchSize.salesOrderLine': '6' },
        entities,
      ).sizes,
    ).toEqual({ sales_Order: 5, sales_OrderLine: 6 });
  });

  test('that match no or several known names stop the start', () => {
    expect(problemsOf(() => fromEnvironment({ SVC_REST_ENTITY_MAX_FETCH_SIZE_FOO: '5' }, entities))).toEqual([
      'SVC_REST_ENTITY_MAX_FETCH_SIZE_FOO: "FOO" is no known name (environment)',
    ]);
    const twins = { mapKeys: { 'svc.rest.entity-max-fetch-size': ['a_bc', 'ab_c'] } };
    expect(problemsOf(() => fromEnvironment({ SVC_REST_ENTITY_MAX_FETCH_SIZE_AB_C: '5' }, twins))).toEqual([
      'SVC_REST_ENTITY_MAX_FETCH_SIZE_AB_C: is ambiguous: a_bc or ab_c (environment)',
    ]);
    expect(fromEnvironment({ 'svc.rest.entity-max-fetch-size.ab_c': '5' }, twins).sizes).toEqual({ ab_c: 5 });
  });

  test('of objects join their members over sources and spellings', () => {
    const loaded = load([
      source('application', {
        'svc.authserver.client.my-app.client-id': 'app',
        'svc.authserver.client.my-app.roles': 'a,b',
      }),
      source('environment', {
        SVC_AUTHSERVER_CLIENT_MY_APP_CLIENT_ID: 'other',
        SVC_AUTHSERVER_CLIENT_MY_APP_CLIENT_SECRET_FILE: '/run/secret',
        SVC_AUTHSERVER_CLIENT_NEW_CLIENT_ID: 'new',
      }),
    ]);
    expect(loaded.clients).toEqual({
      'my-app': { 'client-id': 'other', 'client-secret': 'from file', roles: ['a', 'b'] },
      new: { 'client-id': 'new', roles: [] },
    });
  });

  test('of objects name what is missing and what is not known', () => {
    expect(
      problemsOf(() =>
        load([source('file', { 'svc.authserver.client.x.roles': 'a', 'svc.authserver.client.x.oops': 'b' })]),
      ),
    ).toEqual([
      'svc.authserver.client.x.oops: ends in no known member of svc.authserver.client.<name> (client-id, client-secret, roles) (file)',
      expect.stringContaining('svc.authserver.client.x.client-id: '),
    ]);
  });

  test('that can be split in two ways are ambiguous unless one name is known', () => {
    const shape = defineSettings({
      map: settingMap(
        'svc.m',
        z.object({ secret: textValue().optional(), 'client-secret': textValue().optional() }),
        'M',
      ),
    });
    const read = (sources: PropertySource[]) => loadSettings(shape, { sources, readSecretFile: () => '' }).map;
    const variable = source('environment', { SVC_M_DEMO_CLIENT_SECRET: 'x' });
    expect(problemsOf(() => read([variable]))[0]).toContain('is ambiguous');
    expect(read([source('file', { 'svc.m.demo.secret': 'y' }), variable])).toEqual({
      demo: { secret: 'y', 'client-secret': 'x' },
    });
  });
});

test('a shape with two spellings of one key or without the prefix cannot be defined', () => {
  const one = setting('svc.a.b-c', textValue(), '');
  expect(() => defineSettings({ one, two: setting('svc.a.bC', textValue(), '') })).toThrow('same key');
  expect(() => defineSettings({ one: setting('jmix.a', textValue(), '') })).toThrow('svc.');
});
