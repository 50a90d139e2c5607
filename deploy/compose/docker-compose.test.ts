import { readFileSync } from 'node:fs';
import { settings as authSettings } from '@lintel/auth/settings';
import { backendSettings, loadSettings, platformSettings, processSources, type SettingsShape } from '@lintel/config';
import { settings as dataSettings } from '@lintel/data/settings';
import { settings as filesSettings } from '@lintel/files/settings';
import { settings as gatewaySettings } from '@lintel/gateway/settings';
import { settings as reportsSettings } from '@lintel/reports/settings';
import { parse } from 'yaml';

interface ComposeService {
  readonly image: string;
  readonly build?: { readonly args: { readonly SERVICE: string } };
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
}

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const text = read('./docker-compose.yml');
const compose: {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes: Readonly<Record<string, unknown>>;
} = parse(text, { merge: true });
const dockerfile = read('../images/Dockerfile');
const exampleVariables = new Map(
  read('./.env.example')
    .split('\n')
    .filter((line) => /^[A-Z]/.test(line))
    .map((line): [string, string] => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
);

const SHAPES: Readonly<Record<string, SettingsShape>> = {
  auth: { ...authSettings, backends: backendSettings },
  data: { ...dataSettings, backends: backendSettings },
  files: { ...filesSettings, backends: backendSettings },
  reports: { ...reportsSettings, backends: backendSettings },
  gateway: { ...gatewaySettings, brokerUrls: backendSettings.brokerUrls },
};
const names = Object.keys(compose.services);
const serviceOf = (name: string): ComposeService => {
  const service = compose.services[name];
  if (service === undefined) throw new Error(`${name} is no service of the file`);
  return service;
};

/** What Docker Compose makes of `${NAME:-default}` and `${NAME:?message}` with the example, secrets filled in. */
const interpolate = (value: string): string =>
  value.replace(/\$\{(\w+)(?::[-?]([^}]*))?\}/g, (_all, name: string, rest: string | undefined) => {
    const given = exampleVariables.get(name);
    if (given === undefined) throw new Error(`${name} is not in .env.example`);
    return given || (text.includes(`\${${name}:?`) ? 'asecretoftwentyfourchars' : (rest ?? ''));
  });

/** Variables of the image: lines `NAME=value` of its ENV. */
const imageVariables = Object.fromEntries(
  [...dockerfile.matchAll(/^\s+(SVC_\w+)=(\S+?)(?: \\)?$/gm)].map(([, name = '', value = '']) => [name, value]),
);
/** The variables that a container would have. */
const environmentOf = (name: string): Record<string, string> => ({
  ...imageVariables,
  ...Object.fromEntries(
    Object.entries(serviceOf(name).environment ?? {}).map(([key, value]) => [key, interpolate(value)]),
  ),
});
const configOf = <const S extends SettingsShape>(name: string, shape: S) =>
  loadSettings(shape, processSources({ environment: environmentOf(name) }));

describe('deploy/compose', () => {
  test.each(Object.entries(SHAPES))('the variables of %s are known properties with good values', (name, shape) => {
    expect(() => configOf(name, shape)).not.toThrow();
    expect(Object.keys(environmentOf(name)).length).toBeGreaterThan(8);
  });

  test('services find each other by the ports that they listen on', () => {
    const auth = configOf('auth', authSettings);
    const data = configOf('data', dataSettings);
    const files = configOf('files', filesSettings);
    const reports = configOf('reports', reportsSettings);
    const gateway = configOf('gateway', gatewaySettings);
    expect(gateway.upstreams).toEqual({
      auth: [`http://auth:${auth.port}`],
      data: [`http://data:${data.port}`],
      files: [`http://files:${files.port}`],
      reports: [`http://reports:${reports.port}`],
    });
    expect(reports.dataInternalUrls).toEqual([`http://data:${data.internalPort}`]);
    const hosts = [auth.host, auth.internalHost, data.host, data.internalHost, files.host, reports.host, gateway.host];
    expect(new Set(hosts)).toEqual(new Set(['0.0.0.0']));
    for (const name of Object.keys(SHAPES)) {
      const { jwksUrl, authInternalUrls, issuer } = configOf(name, { platform: platformSettings }).platform;
      expect([jwksUrl, ...authInternalUrls, issuer]).toEqual([
        `http://auth:${auth.port}/oauth2/jwks`,
        `http://auth:${auth.internalPort}`,
        'http://localhost:8080',
      ]);
    }
  });

  test('files keep the name of their storage in every mode', () => {
    expect(Object.keys(configOf('files', filesSettings).storages)).toEqual(['fs']);
  });

  test('every variable is in the example, with the same default, and no other', () => {
    const used = new Map<string, Set<string>>();
    for (const [, name = '', rest = ''] of text.matchAll(/\$\{(\w+)(:[-?][^}]*)?\}/g))
      used.set(name, (used.get(name) ?? new Set()).add(rest));
    expect([...exampleVariables.keys()].sort()).toEqual([...used.keys()].sort());
    for (const [name, forms] of used) {
      expect([name, [...forms]]).toEqual([name, [expect.stringMatching(/^:[-?]/)]]);
      const [form = ''] = forms;
      if (form.startsWith(':-')) expect([name, exampleVariables.get(name)]).toEqual([name, form.slice(2)]);
    }
  });

  test('everything that keeps running has a check of its health', () => {
    for (const name of names.filter((each) => each !== 'migrate'))
      expect([name, serviceOf(name).healthcheck?.test]).toEqual([name, expect.arrayContaining([expect.any(String)])]);
  });

  test('each service waits for what it needs, until that is healthy', () => {
    for (const name of names)
      for (const [needed, { condition }] of Object.entries(serviceOf(name).depends_on ?? {})) {
        expect(names).toContain(needed);
        expect([needed, condition]).toEqual([
          needed,
          needed === 'migrate' ? 'service_completed_successfully' : 'service_healthy',
        ]);
      }
    expect(Object.keys(serviceOf('migrate').depends_on ?? {})).toEqual(['postgres']);
    expect(serviceOf('data').environment?.['SVC_DATASOURCE_MIGRATE']).toBe('false');
  });

  test('only the port of the gateway is published', () => {
    expect(names.filter((name) => serviceOf(name).ports !== undefined)).toEqual(['gateway']);
  });

  test('volumes are named, and each is used', () => {
    const used = names.flatMap((name) => serviceOf(name).volumes ?? []).map((volume) => volume.split(':')[0]);
    expect(used.sort()).toEqual(Object.keys(compose.volumes).sort());
  });

  test('each image is built for the service it is named after', () => {
    for (const name of Object.keys(SHAPES)) {
      expect(serviceOf(name).build?.args.SERVICE).toBe(name);
      expect(interpolate(serviceOf(name).image)).toBe(`lintel-${name}:local`);
    }
    expect(serviceOf('migrate').image).toBe(serviceOf('data').image);
  });

  test('the health check of the images asks the default ports', () => {
    const script = read('../images/health-check.mjs');
    for (const [name, shape] of Object.entries(SHAPES)) {
      const { port } = configOf(name, shape) as { readonly port?: number };
      expect(script).toContain(`${name}: ${port}`);
    }
  });
});
