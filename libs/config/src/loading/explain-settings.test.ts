import { z } from 'zod';
import { defineSettings } from '../declaring/define-settings.ts';
import { setting, settingMap } from '../declaring/setting.ts';
import { durationMsValue, listValue, textValue, urlValue } from '../declaring/values.ts';
import { explainSettings } from './explain-settings.ts';
import { maskPasswords, maskSecret } from './mask.ts';

const shape = defineSettings({
  database: setting('svc.datasource.url', textValue(), 'Database', { secret: true }),
  secret: setting('svc.internal.secret', textValue(), 'Secret', { secret: true }),
  timeout: setting('svc.gateway.timeout', durationMsValue().default(30_000), 'Timeout'),
  endpoint: setting('svc.telemetry.endpoint', urlValue().optional(), 'Endpoint'),
  patterns: setting('svc.rest.patterns', listValue().default([]), 'Patterns'),
  clients: settingMap(
    'svc.authserver.client',
    z.object({ 'client-id': textValue(), 'client-secret': textValue() }),
    'Clients',
    { secretMembers: ['client-secret'] },
  ),
});

test('every value is explained with its source, without secrets', () => {
  const { settings, problems } = explainSettings(shape, {
    sources: [
      {
        label: '/etc/lintel.yml',
        kind: 'file',
        values: { 'svc.datasource.url': 'postgres://lintel:topsecret@db/lintel', 'svc.rest.patterns[0]': '/a' },
        lines: { 'svc.datasource.url': 3, 'svc.rest.patterns[0]': 7 },
      },
      {
        label: 'environment',
        kind: 'environment',
        values: {
          SVC_INTERNAL_SECRET_FILE: '/run/secrets/internal',
          SVC_TELEMETRY_ENDPOINT: 'http://me:topsecret@collector:4318',
          SVC_AUTHSERVER_CLIENT_APP_CLIENT_ID: 'app',
          SVC_AUTHSERVER_CLIENT_APP_CLIENT_SECRET: 'topsecret',
        },
      },
    ],
    readSecretFile: () => 'topsecret',
  });
  expect(problems).toEqual([]);
  expect(JSON.stringify(settings)).not.toContain('topsecret');
  expect(settings.map(({ name, value, origin }) => `${name}=${value} (${origin})`)).toEqual([
    'svc.authserver.client.app.client-id=app (environment: SVC_AUTHSERVER_CLIENT_APP_CLIENT_ID)',
    'svc.authserver.client.app.client-secret=*** (environment: SVC_AUTHSERVER_CLIENT_APP_CLIENT_SECRET)',
    'svc.datasource.url=postgres://lintel:***@db/lintel (/etc/lintel.yml:3)',
    'svc.gateway.timeout=30s (default)',
    'svc.internal.secret=*** (environment: SVC_INTERNAL_SECRET_FILE = /run/secrets/internal)',
    'svc.rest.patterns=/a (/etc/lintel.yml:7)',
    'svc.telemetry.endpoint=http://me:***@collector:4318 (environment: SVC_TELEMETRY_ENDPOINT)',
  ]);
});

test('missing and wrong values are explained with the others', () => {
  const { settings, problems } = explainSettings(shape, {
    sources: [{ label: 'environment', kind: 'environment', values: { SVC_GATEWAY_TIMEOUT: 'long' } }],
    readSecretFile: () => '',
  });
  expect(problems).toHaveLength(3);
  expect(settings.find(({ name }) => name === 'svc.datasource.url')).toMatchObject({ value: null, origin: 'missing' });
});

test.each([
  ['postgres://u:p@h:5432/d', 'postgres://u:***@h:5432/d'],
  ['postgres://u:p@h/d?sslmode=require&password=p', 'postgres://u:***@h/d?***'],
  ['postgres://u:p@ss@h/d', '***'],
  ['postgres://u:p/w@h/d', '***'],
  ['postgres://u:p#w@h/d', '***'],
  ['postgres://u:p?w@h/d', '***'],
  ['redis://:p@h:6379/0', 'redis://:***@h:6379/0'],
  ['redis://token@h:6379/0', 'redis://***@h:6379/0'],
  ['redis://h:6379/0', 'redis://h:6379/0'],
  ['amqp://a:p@one:5672, amqp://a:p@two:5672/v', 'amqp://a:***@one:5672,amqp://a:***@two:5672/v'],
  ['topsecret', '***'],
])('of the secret %s no more is shown than %s', (secret, masked) => {
  expect(maskSecret(secret)).toBe(masked);
});

test.each([
  ['http://a:1,http://u:p@b', 'http://a:1,http://u:***@b'],
  ['"http://u:p@ss@host"', '"http://u:***@host"'],
  ['see http://host:80/a@b', 'see http://host:***@b'],
  ['/rest', '/rest'],
])('passwords in %s are masked', (text, masked) => {
  expect(maskPasswords(text)).toBe(masked);
});
