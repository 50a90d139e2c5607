import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
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
  readonly secrets?: readonly (string | { readonly source: string })[];
  readonly profiles?: readonly string[];
  readonly command?: readonly string[];
  readonly entrypoint?: readonly string[];
}

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const text = read('../docker-compose.yml');
const compose: {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
} = parse(text, { merge: true });
const dockerfile = read('../../images/Dockerfile');
const exampleVariables = new Map(
  read('../.env.example')
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

/** What Docker Compose makes of `${NAME:-default}` with the example. */
const interpolate = (value: string): string =>
  value.replace(/\$\{(\w+)(?::-([^}]*))?\}/g, (_all, name: string, rest: string | undefined) => {
    const given = exampleVariables.get(name);
    if (given === undefined) throw new Error(`${name} is not in .env.example`);
    return given || (rest ?? '');
  });
const secretsOf = (name: string): readonly string[] =>
  (serviceOf(name).secrets ?? []).map((secret) => (typeof secret === 'string' ? secret : secret.source));
const profileServices = names.filter((name) => serviceOf(name).profiles !== undefined);

let folder: string;
const makeSecrets = (): string =>
  execFileSync('sh', [fileURLToPath(new URL('../make-secrets.sh', import.meta.url)), folder], { encoding: 'utf8' });
beforeAll(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'lintel-compose-')), 'secrets');
  makeSecrets();
});
afterAll(() => rmSync(join(folder, '..'), { recursive: true }));

/** Variables of the image: lines `NAME=value` of its ENV. */
const imageVariables = Object.fromEntries(
  [...dockerfile.matchAll(/^\s+(SVC_\w+)=(\S+?)(?: \\)?$/gm)].map(([, name = '', value = '']) => [name, value]),
);
/** The variables that a container would have. */
const environmentOf = (name: string): Record<string, string> => ({
  ...imageVariables,
  ...Object.fromEntries(
    Object.entries(serviceOf(name).environment ?? {}).map(([key, value]) => [
      key,
      interpolate(value).replace('/run/secrets/', `${folder}/`),
    ]),
  ),
});
const configOf = <const S extends SettingsShape>(name: string, shape: S) =>
  loadSettings(shape, processSources({ environment: environmentOf(name) }));

describe('deploy/compose', () => {
  test.each(Object.entries(SHAPES))('the variables of %s are known properties with good values', (name, shape) => {
    expect(() => configOf(name, shape)).not.toThrow();
    expect(Object.keys(environmentOf(name)).length).toBeGreaterThan(8);
  });

  test('a worker is a data service that no gateway knows, to which data can leave its jobs', () => {
    expect(serviceOf('data').environment?.['SVC_JOBS_ENABLED']).toBe(`\${LINTEL_DATA_JOBS:-true}`);
    const { image, profiles, environment, ...rest } = serviceOf('worker');
    expect([image, profiles]).toEqual([serviceOf('data').image, ['worker']]);
    const { image: _image, environment: served, ...data } = serviceOf('data');
    expect(rest).toEqual(data);
    expect(environment).toEqual({ ...served, SVC_DEMO_ENABLED: 'false', SVC_JOBS_ENABLED: 'true' });
    expect(configOf('worker', dataSettings).runsJobs).toBe(true);
  });

  test('the process of Redis gets the signal that ends its container', () => {
    const [shell, option, script] = serviceOf('redis').command ?? [];
    expect([shell, option, script]).toEqual(['sh', '-c', expect.stringMatching(/^exec redis-server [^|]+$/)]);
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

  test('the gateway knows the proxies in front of it, and its host names', () => {
    const { trustedProxies, allowedHosts } = configOf('gateway', gatewaySettings);
    expect([trustedProxies, allowedHosts]).toEqual([[], []]);
    const { environment = {} } = serviceOf('gateway');
    expect(environment).toMatchObject({
      SVC_GATEWAY_TRUSTED_PROXIES: expect.stringContaining('LINTEL_TRUSTED_PROXIES'),
      SVC_GATEWAY_ALLOWED_HOSTS: expect.stringContaining('LINTEL_ALLOWED_HOSTS'),
    });
  });

  test('files keep the name of their storage in every mode', () => {
    expect(Object.keys(configOf('files', filesSettings).storages)).toEqual(['fs']);
  });

  test('every variable is in the example, with the same default, and no other', () => {
    const used = new Map<string, Set<string>>();
    for (const [, name = '', rest = ''] of text.matchAll(/\$\{(\w+)(:-[^}]*)?\}/g))
      used.set(name, (used.get(name) ?? new Set()).add(rest));
    expect([...exampleVariables.keys()].sort()).toEqual([...used.keys()].sort());
    for (const [name, forms] of used) {
      expect([name, [...forms]]).toEqual([name, [`:-${exampleVariables.get(name)}`]]);
    }
  });

  test('services write to /tmp alone, have no capability, and get none', () => {
    for (const name of [...Object.keys(SHAPES), 'migrate'])
      expect(serviceOf(name)).toMatchObject({
        read_only: true,
        tmpfs: ['/tmp'],
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
  });

  test('everything that keeps running has a check of its health', () => {
    // Nothing that could ask is in the images of these two.
    for (const name of names.filter((each) => !['migrate', 'collector', 'jaeger'].includes(each)))
      expect([name, serviceOf(name).healthcheck?.test]).toEqual([name, expect.arrayContaining([expect.any(String)])]);
  });

  test('the S3 server is MinIO, or the gateway where its image is named', () => {
    expect(interpolate(serviceOf('s3').image)).toMatch(/^quay\.io\/minio\/minio:RELEASE\./);
    const programs = mkdtempSync(join(tmpdir(), 'lintel-compose-'));
    const script = serviceOf('s3').entrypoint?.at(-1)?.replaceAll('$$', '$').replaceAll('/run/secrets', programs) ?? '';
    const run = (program: string): string => {
      writeFileSync(join(programs, program), '#!/bin/sh\necho "$0 $* $ROOT_ACCESS_KEY"\n', { mode: 0o755 });
      return execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8', env: { PATH: `${programs}:/usr/bin:/bin` } });
    };
    try {
      for (const key of ['s3-access-key', 's3-secret-key']) writeFileSync(join(programs, key), key);
      expect(run('versitygw')).toBe(`${programs}/versitygw posix /data s3-access-key\n`);
      expect(run('minio')).toBe(`${programs}/minio server /data --address :9000 \n`);
    } finally {
      rmSync(programs, { recursive: true });
    }
    expect(serviceOf('s3').environment).toMatchObject({
      MINIO_ROOT_USER_FILE: '/run/secrets/s3-access-key',
      MINIO_ROOT_PASSWORD_FILE: '/run/secrets/s3-secret-key',
    });
  });

  test('each service waits for what it needs, until that is healthy', () => {
    for (const name of names)
      for (const [needed, { condition }] of Object.entries(serviceOf(name).depends_on ?? {})) {
        expect(names).toContain(needed);
        expect([needed, condition]).toEqual([
          needed,
          { migrate: 'service_completed_successfully', jaeger: 'service_started' }[needed] ?? 'service_healthy',
        ]);
      }
    expect(Object.keys(serviceOf('migrate').depends_on ?? {})).toEqual(['postgres']);
    for (const name of ['auth', 'data', 'files', 'reports'])
      expect(serviceOf(name).depends_on).toHaveProperty('migrate');
    expect(serviceOf('data').environment?.['SVC_DATASOURCE_MIGRATE']).toBe('false');
  });

  test('only the port of the gateway is published, and those of the profile on this machine', () => {
    const published = names.filter((name) => serviceOf(name).ports !== undefined);
    expect(published.filter((name) => !profileServices.includes(name))).toEqual(['gateway']);
    for (const port of profileServices.flatMap((name) => serviceOf(name).ports ?? []))
      expect(port).toMatch(/^127\.0\.0\.1:/);
  });

  test('each secret is a file that the script makes, given to those alone who use it', () => {
    const made = readdirSync(folder);
    for (const [name, { file }] of Object.entries(compose.secrets)) {
      expect(interpolate(file)).toBe(`./secrets/${name}`);
      expect(made).toContain(name);
    }
    for (const name of names) {
      const { environment = {}, command = [], entrypoint = [], healthcheck, volumes = [] } = serviceOf(name);
      const scripts = volumes.includes('./postgres/logins.sql:/docker-entrypoint-initdb.d/logins.sql:ro')
        ? read('../postgres/logins.sql')
        : '';
      const words = [
        ...Object.values(environment),
        ...command,
        ...entrypoint,
        ...(healthcheck?.test ?? []),
        scripts,
      ].join(' ');
      const used = [...words.matchAll(/\/run\/secrets\/([\w.-]+)/g)].map(([, secret]) => secret);
      const given = secretsOf(name).filter((secret) => secret !== 'rabbitmq.conf');
      expect([name, [...new Set(used)].sort()]).toEqual([name, [...given].sort()]);
    }
    expect(names.flatMap(secretsOf).sort()).toEqual(expect.arrayContaining(Object.keys(compose.secrets)));
  });

  test('no variable has a secret, and none is in .env', () => {
    for (const name of names)
      for (const [key, value] of Object.entries(serviceOf(name).environment ?? {})) {
        if (/PASSWORD|SECRET|ACCESS_KEY|DATASOURCE_URL|REDIS_URL|BROKER_URLS/.test(key))
          expect([key, value]).toEqual([expect.stringMatching(/_FILE$/), expect.stringMatching(/^\/run\/secrets\//)]);
      }
    expect([...exampleVariables.keys()].filter((name) => /PASSWORD|SECRET(?!S)|KEY/.test(name))).toEqual([]);
  });

  test('the script makes long secrets that no other user can read, once', () => {
    const before = new Map(readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), 'utf8')]));
    expect(makeSecrets()).toBe('');
    for (const [file, value] of before) {
      expect(readFileSync(join(folder, file), 'utf8')).toBe(value);
      if (/password|secret/.test(file)) expect([file, value]).toEqual([file, expect.stringMatching(/^[0-9a-f]{48}$/)]);
    }
    expect(new Set(before.values()).size).toBe(before.size);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    // Users of containers read them through a mount, for which the folder does not count.
    expect(statSync(join(folder, 'internal-secret')).mode & 0o777).toBe(0o644);
  });

  test('each service has a login of its own, and data one more for the SQL of reports', () => {
    const userOf = (name: string, variable: string) => {
      const file = environmentOf(name)[`${variable}_FILE`];
      return file === undefined ? undefined : new URL(readFileSync(file, 'utf8')).username;
    };
    expect(Object.keys(SHAPES).map((name) => [name, userOf(name, 'SVC_DATASOURCE_URL')])).toEqual([
      ['auth', 'lintel_auth'],
      ['data', 'lintel_owner'],
      ['files', 'lintel_files'],
      ['reports', 'lintel_reports'],
      ['gateway', undefined],
    ]);
    expect(userOf('migrate', 'SVC_DATASOURCE_URL')).toBe('lintel_owner');
    expect(userOf('data', 'SVC_DATA_REPORT_DATASOURCE_URL')).toBe('lintel_report_data');
    const logins = [...read('../postgres/logins.sql').matchAll(/^CREATE ROLE (\w+) LOGIN/gm)].map(([, name]) => name);
    expect(logins.sort()).toEqual([
      'lintel_auth',
      'lintel_files',
      'lintel_owner',
      'lintel_report_data',
      'lintel_reports',
    ]);
  });

  test('options of Node for little memory are those of `npm run services`', () => {
    const plan = read('../../services/plan-processes.mjs');
    for (const name of Object.keys(SHAPES)) {
      const [, list = ''] = plan.match(new RegExp(`^  ${name}: \\[(.*)\\],$`, 'm')) ?? [];
      const options = list
        .split(', ')
        .filter(Boolean)
        .map((option) => option.slice(1, -1));
      const { entrypoint, command } = serviceOf(name);
      const expected = ['node', ...options, '--import', '@lintel/telemetry/register'];
      expect([name, entrypoint]).toEqual([name, options.length === 0 ? undefined : expected]);
      expect(command).toEqual(options.length === 0 ? undefined : ['service/dist/main.js']);
    }
  });

  test('volumes are named, and each is used; files of the folder are there', () => {
    const used = names.flatMap((name) => serviceOf(name).volumes ?? []).map((volume) => volume.split(':')[0] ?? '');
    expect(used.filter((name) => !name.startsWith('.')).sort()).toEqual(Object.keys(compose.volumes).sort());
    for (const file of used.filter((name) => name.startsWith('.')))
      expect([file, existsSync(new URL(`../${file}`, import.meta.url))]).toEqual([file, true]);
  });

  test('each image is built for the service it is named after', () => {
    for (const name of Object.keys(SHAPES)) {
      expect(serviceOf(name).build?.args.SERVICE).toBe(name);
      expect(interpolate(serviceOf(name).image)).toBe(`lintel-${name}:local`);
    }
    expect(serviceOf('migrate').image).toBe(serviceOf('data').image);
  });

  test('the health check of the images asks the default ports', () => {
    const script = read('../../images/health-check.mjs');
    for (const [name, shape] of Object.entries(SHAPES)) {
      const { port } = configOf(name, shape) as { readonly port?: number };
      expect(script).toContain(`${name}: ${port}`);
    }
  });
});
