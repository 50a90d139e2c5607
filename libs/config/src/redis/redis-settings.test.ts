import { ConfigurationError } from '../configuration-error.ts';
import { loadSettings } from '../loading/load-settings.ts';
import { findRedisAddress, redisAddressOf } from './redis-address.ts';
import { redisSettings } from './redis-settings.ts';

const load = (environment: Readonly<Record<string, string>>, need: 'required' | 'optional' = 'required') =>
  loadSettings(
    { backends: { redis: redisSettings(need) } },
    {
      sources: [{ label: 'environment', kind: 'environment', values: environment }],
      readSecretFile: () => 'from a file',
    },
  ).backends.redis;

const problemsOf = (environment: Readonly<Record<string, string>>): readonly string[] => {
  try {
    load(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
};

const SENTINEL = {
  SVC_REDIS_SENTINEL_MASTER: 'mymaster',
  SVC_REDIS_SENTINEL_NODES: 'sentinel-1:26379, 10.0.0.2:26380,[fd00::3]:26381',
};

test('one server is a URL', () => {
  expect(redisAddressOf(load({ SVC_REDIS_URL: 'rediss://u:p@host:6380/2' }))).toEqual({
    url: 'rediss://u:p@host:6380/2',
  });
});

test('sentinels name the primary; they and it have logins of their own', () => {
  expect(redisAddressOf(load(SENTINEL))).toEqual({
    sentinel: {
      master: 'mymaster',
      nodes: [
        { host: 'sentinel-1', port: 26379 },
        { host: '10.0.0.2', port: 26380 },
        { host: 'fd00::3', port: 26381 },
      ],
      database: 0,
      tls: false,
    },
  });
  const all = {
    ...SENTINEL,
    SVC_REDIS_SENTINEL_USERNAME: 'watcher',
    SVC_REDIS_SENTINEL_PASSWORD_FILE: '/run/secret',
    SVC_REDIS_USERNAME: 'lintel',
    SVC_REDIS_PASSWORD: 'secret',
    SVC_REDIS_DATABASE: '3',
    SVC_REDIS_SSL_ENABLED: 'true',
  };
  expect(redisAddressOf(load(all))).toMatchObject({
    sentinel: {
      sentinelUsername: 'watcher',
      sentinelPassword: 'from a file',
      username: 'lintel',
      password: 'secret',
      database: 3,
      tls: true,
    },
  });
});

test('a cluster is some of its nodes', () => {
  const variables = { SVC_REDIS_CLUSTER_NODES: 'a:7001,b:7002', SVC_REDIS_PASSWORD: 'secret', SVC_REDIS_DATABASE: '0' };
  expect(redisAddressOf(load(variables))).toEqual({
    cluster: {
      nodes: [
        { host: 'a', port: 7001 },
        { host: 'b', port: 7002 },
      ],
      password: 'secret',
      tls: false,
    },
  });
});

test('without any a URL is missing, unless it need not be there', () => {
  expect(problemsOf({ SVC_REDIS_KEY_PREFIX: 'x:' })).toEqual([
    'svc.redis.url (SVC_REDIS_URL): is required, expected a URL (redis:, rediss:)',
  ]);
  expect(findRedisAddress(load({}, 'optional'))).toBeUndefined();
});

test('all contradictions are reported together', () => {
  expect(
    problemsOf({
      SVC_REDIS_URL: 'redis://host:6379',
      SVC_REDIS_SENTINEL_NODES: 'a:1',
      SVC_REDIS_SENTINEL_USERNAME: 'watcher',
      SVC_REDIS_CLUSTER_NODES: 'b:2',
      SVC_REDIS_USERNAME: 'lintel',
      SVC_REDIS_DATABASE: '3',
    }),
  ).toEqual([
    'svc.redis.url and svc.redis.sentinel.nodes and svc.redis.cluster.nodes name different servers: keep one of them',
    'svc.redis.sentinel.master: is required with svc.redis.sentinel.nodes, svc.redis.sentinel.username',
    'svc.redis.username, svc.redis.database: belongs into svc.redis.url (rediss://user:password@host:6379/0)',
    'svc.redis.database: a cluster has the database 0 only',
    'svc.redis.username: is nothing without svc.redis.password',
    'svc.redis.sentinel.username: is nothing without svc.redis.sentinel.password',
  ]);
});

test.each([
  [{ SVC_REDIS_SENTINEL_MASTER: 'm' }, 'svc.redis.sentinel.nodes: is required with svc.redis.sentinel.master'],
  [{ SVC_REDIS_SENTINEL_PASSWORD: 'p' }, 'svc.redis.sentinel.master: is required with svc.redis.sentinel.password'],
  [{ SVC_REDIS_CLUSTER_NODES: 'a' }, 'svc.redis.cluster.nodes: expected nodes as host:port with commas'],
  [{ SVC_REDIS_CLUSTER_NODES: 'a:0' }, 'svc.redis.cluster.nodes: expected nodes as host:port with commas'],
  [{ SVC_REDIS_CLUSTER_NODES: 'redis://a:1' }, 'svc.redis.cluster.nodes: expected nodes as host:port with commas'],
  [{ SVC_REDIS_CLUSTER_NODES: 'a:1', SVC_REDIS_DATABASE: '1' }, 'svc.redis.database: a cluster has the database 0'],
  [{ ...SENTINEL, SVC_REDIS_DATABASE: '-1' }, 'svc.redis.database: expected a whole number'],
])('%j makes no sense', (environment, problem) => {
  expect(problemsOf(environment)[0]).toContain(problem);
});
