import { defineSettings } from '../declaring/define-settings.ts';
import { describeSettings, knownKeysOf } from '../declaring/describe-settings.ts';
import { setting } from '../declaring/setting.ts';
import { integerValue, textValue } from '../declaring/values.ts';
import { readConfiguration } from '../read-configuration.ts';
import type { PropertySource } from '../sources/property-source.ts';
import { judgeSettings } from './load-settings.ts';

const settings = defineSettings({
  size: setting('svc.reports.remote-max-size', integerValue().default(1), 'Size', {
    deprecatedName: 'svc.reports.outside-max-size',
  }),
  secret: setting('svc.reports.remote-secret', textValue().optional(), 'Secret', {
    secret: true,
    deprecatedName: 'svc.reports.outside-secret',
  }),
});

const environment = (values: Record<string, string>): PropertySource => ({
  label: 'environment',
  kind: 'environment',
  values,
});
const judge = (...sources: readonly PropertySource[]) =>
  judgeSettings(settings, { sources, readSecretFile: () => 'from file' });

test('a deprecated name sets the value, with a warning that names the new one', () => {
  const { config, problems, gathered } = judge(environment({ SVC_REPORTS_OUTSIDE_MAX_SIZE: '2' }));
  expect({ config, problems }).toEqual({ config: { size: 2, secret: undefined }, problems: [] });
  expect(gathered.warnings).toEqual([
    'SVC_REPORTS_OUTSIDE_MAX_SIZE: this name is deprecated; use svc.reports.remote-max-size (environment)',
  ]);
});

test('a deprecated name of a secret takes the file, too', () => {
  const { config, gathered } = judge(environment({ SVC_REPORTS_OUTSIDE_SECRET_FILE: '/run/secret' }));
  expect(config.secret).toBe('from file');
  expect(gathered.warnings).toHaveLength(1);
});

test('the new name gives no warning', () => {
  const { config, gathered } = judge(environment({ SVC_REPORTS_REMOTE_MAX_SIZE: '3' }));
  expect(config.size).toBe(3);
  expect(gathered.warnings).toEqual([]);
});

test('both names in one source with different values are refused; a later source wins', () => {
  const both = { SVC_REPORTS_OUTSIDE_MAX_SIZE: '2', SVC_REPORTS_REMOTE_MAX_SIZE: '3' };
  expect(judge(environment(both)).problems).toEqual([
    expect.stringContaining('are the same key with different values'),
  ]);
  const file: PropertySource = { label: 'file', kind: 'file', values: { 'svc.reports.remote-max-size': '3' } };
  expect(judge(file, environment({ SVC_REPORTS_OUTSIDE_MAX_SIZE: '2' })).config.size).toBe(2);
});

test('the reference names the deprecated name, and other services know both', () => {
  expect(describeSettings(settings)[0]?.description).toBe(
    'Size. The former name `svc.reports.outside-max-size` is deprecated',
  );
  expect(knownKeysOf(settings)).toEqual([
    'svc.reports.remote-max-size',
    'svc.reports.outside-max-size',
    'svc.reports.remote-secret',
    'svc.reports.outside-secret',
  ]);
});

test('a name can be neither a setting and a deprecated one, nor lack the prefix', () => {
  const clash = { deprecatedName: 'svc.a' };
  expect(() =>
    defineSettings({ a: setting('svc.a', textValue(), 'A'), b: setting('svc.b', textValue(), 'B', clash) }),
  ).toThrow('svc.a and svc.a are the same key');
});

test('at the start, a deprecated name is a warning of the process', async () => {
  const warned = new Promise<Error>((resolve) => {
    const onWarning = (warning: Error): void => {
      if (warning.name !== 'DeprecationWarning') return;
      process.off('warning', onWarning);
      resolve(warning);
    };
    process.on('warning', onWarning);
  });
  const variables = { SVC_APPLICATION: 'none', SVC_REPORTS_OUTSIDE_MAX_SIZE: '2' };
  await readConfiguration(settings, { environment: variables }).catch(() => undefined);
  expect((await warned).message).toBe(
    'SVC_REPORTS_OUTSIDE_MAX_SIZE: this name is deprecated; use svc.reports.remote-max-size (environment)',
  );
});
