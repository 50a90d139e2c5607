import { explainProblems } from './explain-problems.mjs';
import { planProcesses } from './plan-processes.mjs';

const BACKENDS = {
  SVC_DATASOURCE_URL: 'postgres://user:password@db.example/lintel',
  SVC_REDIS_URL: 'redis://cache.example',
  SVC_BROKER_URLS: 'amqp://broker.example',
  SVC_INTERNAL_SECRET: 'internal secret of the test, long enough',
  SVC_AUTHSERVER_KEY_ENCRYPTION_SECRET: 'key encryption secret of the test',
};

// Of the example application and the default profile, where others can reach a service.
const ALLOWED = { SVC_SECURITY_ALLOW_INSECURE: 'compatible-profile, default-secrets' };

const plan = async (variables: Record<string, string> = {}) => {
  const { services, gatewayUrl } = await planProcesses({ ...BACKENDS, ...variables });
  return { gatewayUrl, environment: services[0]?.environment ?? {}, services };
};

describe('plan of the five processes', () => {
  test('every service gives memory back to the system, unless the environment says otherwise', async () => {
    const [usual, own] = await Promise.all([plan(), plan({ MALLOC_ARENA_MAX: '8' })]);
    expect(usual.environment).toMatchObject({ MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' });
    expect(own.environment['MALLOC_ARENA_MAX']).toBe('8');
  });

  test('every service learns where the others are from their ports', async () => {
    const { environment, gatewayUrl } = await plan({
      SVC_DATA_PORT: '7002',
      SVC_SERVICES_HOST: '0.0.0.0',
      PORT: '7000',
      ...ALLOWED,
    });
    expect(gatewayUrl).toBe('http://127.0.0.1:7000');
    expect(environment).toMatchObject({
      SVC_GATEWAY_PORT: '7000',
      SVC_GATEWAY_DATA_URL: 'http://127.0.0.1:7002',
      SVC_GATEWAY_AUTH_URL: 'http://127.0.0.1:8081',
      SVC_AUTHSERVER_JWKS_URL: 'http://127.0.0.1:8081/oauth2/jwks',
      SVC_AUTHSERVER_INTERNAL_URL: 'http://127.0.0.1:9081',
      SVC_DATA_INTERNAL_URL: 'http://127.0.0.1:9082',
      SVC_FILES_INTERNAL_URL: 'http://127.0.0.1:9083',
      SVC_AUTHSERVER_ISSUER: 'http://localhost:7000',
      SVC_SHUTDOWN_DELAY: '0s',
    });
  });

  test('what is insecure is refused once for all services where others can reach one of them', async () => {
    const problems = await plan({ SVC_AUTHSERVER_ISSUER: 'http://api.example', SVC_DEMO_ENABLED: 'true' }).catch(
      (error: { problems: readonly string[] }) => error.problems,
    );
    expect(problems).toEqual([
      expect.stringMatching(/^svc\.authserver\.issuer: .*allow-insecure=http-issuer allows it$/),
      expect.stringMatching(/^svc\.security\.profile: .*allow-insecure=compatible-profile allows it$/),
      expect.stringMatching(/^svc\.demo\.enabled: .*allow-insecure=demo-data allows it$/),
      ...['demo', 'jwt', 'integration'].map((name) =>
        expect.stringMatching(
          new RegExp(
            `^svc\\.authserver\\.client\\.${name}\\.client-secret: .*allow-insecure=default-secrets allows it$`,
          ),
        ),
      ),
    ]);
    const reachable = plan({ SVC_GATEWAY_HOST: '0.0.0.0', SVC_SECURITY_PROFILE: 'hardened', SVC_DEMO_ENABLED: 'true' });
    await expect(reachable).rejects.toThrow('svc.demo.enabled');
    await expect(plan({ SVC_DEMO_ENABLED: 'true' })).resolves.toMatchObject({ gatewayUrl: 'http://127.0.0.1:8080' });
  });

  test.each<Record<string, string>>([{ NODE_ENV: 'production' }, { SVC_SECURITY_PROFILE: 'hardened' }])(
    'with %j demo users and the secrets of the example are refused on this machine, too',
    async (strict) => {
      const problems = await plan({ ...strict, SVC_DEMO_ENABLED: 'true' }).catch(
        (error: { problems: readonly string[] }) => error.problems,
      );
      expect(problems).toEqual([
        expect.stringMatching(/^svc\.demo\.enabled: .*allow-insecure=demo-data allows it$/),
        ...['demo', 'jwt', 'integration'].map((name) =>
          expect.stringMatching(new RegExp(`^svc\\.authserver\\.client\\.${name}\\.client-secret: `)),
        ),
      ]);
    },
  );

  test('an address that is configured is kept, in any spelling', async () => {
    const { environment } = await plan({
      SVC_GATEWAY_DATAURL: 'http://data.example',
      SVC_AUTHSERVER_ISSUER: 'https://api.example',
      SVC_GATEWAY_PORT: '7000',
      PORT: '7001',
      ...ALLOWED,
    });
    expect(environment['SVC_GATEWAY_DATA_URL']).toBeUndefined();
    expect(environment['SVC_AUTHSERVER_ISSUER']).toBe('https://api.example');
    expect(environment['SVC_GATEWAY_PORT']).toBe('7000');
  });

  test('with a certificate the gateway is asked by HTTPS', async () => {
    const { environment, gatewayUrl, services } = await plan({
      SVC_GATEWAY_TLS_CERTIFICATE_FILE: '/tls.crt',
      SVC_GATEWAY_TLS_KEY_FILE: '/tls.key',
    });
    expect(gatewayUrl).toBe('https://127.0.0.1:8080');
    expect(services.find(({ name }: { name: string }) => name === 'gateway')?.url).toBe(gatewayUrl);
    expect(environment['SVC_AUTHSERVER_ISSUER']).toBe('https://localhost:8080');
    expect(environment['SVC_GATEWAY_DATA_URL']).toBe('http://127.0.0.1:8082');
  });

  test('port 0 becomes a free port that all know', async () => {
    const { environment, services } = await plan({ SVC_DATA_PORT: '0', SVC_DATA_INTERNAL_PORT: '0' });
    const data = services.find(({ name }: { name: string }) => name === 'data');
    expect(Number(environment['SVC_DATA_PORT'])).toBeGreaterThan(0);
    expect(environment['SVC_GATEWAY_DATA_URL']).toBe(`http://127.0.0.1:${environment['SVC_DATA_PORT']}`);
    expect(data?.url).toBe(environment['SVC_GATEWAY_DATA_URL']);
    expect(environment['SVC_DATA_INTERNAL_URL']).toBe(`http://127.0.0.1:${environment['SVC_DATA_INTERNAL_PORT']}`);
  });

  test('each service has a name of its own in traces', async () => {
    const { services } = await plan();
    expect(
      services.map(({ environment }: { environment: Record<string, string> }) => environment['OTEL_SERVICE_NAME']),
    ).toEqual(['lintel-data', 'lintel-auth', 'lintel-files', 'lintel-reports', 'lintel-gateway']);
  });

  test('everything that is missing or wrong is reported at once', async () => {
    const failure = await planProcesses({ SVC_AUTH_PORT: 'x', SVC_REDIS_URL: BACKENDS.SVC_REDIS_URL }).catch(
      (error: { problems: readonly string[] }) => error,
    );
    const text = explainProblems(failure.problems);
    for (const name of [
      'SVC_DATASOURCE_URL',
      'SVC_BROKER_URLS',
      'SVC_INTERNAL_SECRET',
      'SVC_AUTHSERVER_KEY_ENCRYPTION_SECRET',
    ]) {
      expect(text).toContain(`(${name}): is required`);
      expect(text).toContain(`export ${name}=`);
    }
    expect(text).toContain('svc.auth.port: ');
    expect(text).not.toContain('export SVC_REDIS_URL');
    expect(text.match(/svc\.internal\.secret/g)).toHaveLength(1);
  });
});
