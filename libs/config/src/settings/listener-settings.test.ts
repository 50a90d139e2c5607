import { describeSettings } from '../declaring/describe-settings.ts';
import { listenerSettings } from './listener-settings.ts';

const keysOf = (shape: Parameters<typeof describeSettings>[0]) =>
  describeSettings(shape).map(({ name, defaultText }) => `${name}=${defaultText}`);

test('the listeners of a service have its name in their properties, and its ports by default', () => {
  expect(keysOf({ ...listenerSettings('sample', { public: 1001, internal: 2001, management: 3001 }) })).toEqual([
    'svc.gateway.host=127.0.0.1',
    'svc.services.host=127.0.0.1',
    'svc.sample.port=1001',
    'svc.internal.host=127.0.0.1',
    'svc.sample.internal-port=2001',
    'svc.management.host=127.0.0.1',
    'svc.sample.management-port=3001',
  ]);
});

test('a service without an internal port has no internal listener', () => {
  expect(keysOf({ ...listenerSettings('sample', { public: 1001, management: 3001 }) })).not.toContainEqual(
    expect.stringContaining('internal'),
  );
});
