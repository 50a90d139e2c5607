import { defineSettings } from '../declaring/define-settings.ts';
import { missingText } from '../declaring/missing-text.ts';
import { type GroupFindings, ruledSettings, type SettingsOf, setting } from '../declaring/setting.ts';
import { booleanValue, integerValue, nodeListValue, textValue, urlValue } from '../declaring/values.ts';

const urlSetting = (description: string) =>
  setting('svc.redis.url', urlValue(['redis:', 'rediss:']).optional(), description, { secret: true });

const shape = defineSettings({
  url: urlSetting(
    'Redis with sessions and tokens, as one server: `redis://user:password@host:6379/0`; required unless `svc.redis.sentinel.…` or `svc.redis.cluster.…` names it',
  ),
  sentinel: {
    master: setting(
      'svc.redis.sentinel.master',
      textValue().optional(),
      'Name by which the sentinels know the primary; with `svc.redis.sentinel.nodes`',
    ),
    nodes: setting(
      'svc.redis.sentinel.nodes',
      nodeListValue().optional(),
      'Sentinels that say which server is the primary: `sentinel-1:26379, sentinel-2:26379`',
    ),
    username: setting('svc.redis.sentinel.username', textValue().optional(), 'User of the sentinels'),
    password: setting('svc.redis.sentinel.password', textValue().optional(), 'Password of the sentinels', {
      secret: true,
    }),
  },
  cluster: {
    nodes: setting(
      'svc.redis.cluster.nodes',
      nodeListValue().optional(),
      'Some nodes of a Redis Cluster, which report the others: `redis-1:6379, redis-2:6379`',
    ),
  },
  username: setting(
    'svc.redis.username',
    textValue().optional(),
    'User of the servers that sentinels monitor, or of a cluster',
  ),
  password: setting(
    'svc.redis.password',
    textValue().optional(),
    'Password of the servers that sentinels monitor, or of a cluster',
    { secret: true },
  ),
  database: setting(
    'svc.redis.database',
    integerValue({ min: 0, max: 15 }).optional(),
    'Number of the database of servers that sentinels monitor',
  ),
  tls: setting(
    'svc.redis.ssl.enabled',
    booleanValue().optional(),
    'Whether connections to sentinels, their servers and nodes of a cluster use TLS',
  ),
  keyPrefix: setting(
    'svc.redis.key-prefix',
    textValue().default('lintel:'),
    'In front of every key in Redis, so that installations can share a server; the same for all services',
  ),
});

export type RedisConfig = SettingsOf<typeof shape>;

/**
 * Settings of Redis: one server, a primary that sentinels name, or a cluster. Contradictions are refused.
 *
 * @param url description of `svc.redis.url`, if Redis serves another purpose than sessions and tokens
 */
export const redisSettings = (need: 'required' | 'optional', url: string = shape.url.description) =>
  ruledSettings({ ...shape, url: urlSetting(url) }, (config) => judge(config, need));

function judge(config: RedisConfig, need: 'required' | 'optional'): GroupFindings {
  const { url, sentinel, cluster, username, password, database, tls } = config;
  const ofSentinel = given({
    'svc.redis.sentinel.master': sentinel.master,
    'svc.redis.sentinel.nodes': sentinel.nodes,
    'svc.redis.sentinel.username': sentinel.username,
    'svc.redis.sentinel.password': sentinel.password,
  });
  const ways = [
    ...given({ 'svc.redis.url': url }),
    ...ofSentinel.slice(0, 1),
    ...given({ 'svc.redis.cluster.nodes': cluster.nodes }),
  ];
  const problems: string[] = [];
  if (ways.length > 1) problems.push(`${ways.join(' and ')} name different servers: keep one of them`);
  if (ofSentinel.length > 0)
    for (const name of ['svc.redis.sentinel.master', 'svc.redis.sentinel.nodes'])
      if (!ofSentinel.includes(name)) problems.push(`${name}: is required with ${ofSentinel.join(', ')}`);
  const credentials = given({
    'svc.redis.username': username,
    'svc.redis.password': password,
    'svc.redis.database': database,
    'svc.redis.ssl.enabled': tls,
  });
  if (url !== undefined && credentials.length > 0)
    problems.push(`${credentials.join(', ')}: belongs into svc.redis.url (rediss://user:password@host:6379/0)`);
  if (cluster.nodes !== undefined && database !== undefined && database !== 0)
    problems.push('svc.redis.database: a cluster has the database 0 only');
  if (username !== undefined && password === undefined)
    problems.push('svc.redis.username: is nothing without svc.redis.password');
  if (sentinel.username !== undefined && sentinel.password === undefined)
    problems.push('svc.redis.sentinel.username: is nothing without svc.redis.sentinel.password');
  return { problems, missing: ways.length === 0 && need === 'required' ? [missingText(shape.url)] : [] };
}

const given = (members: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [name]));
