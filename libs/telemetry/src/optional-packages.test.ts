import { readFileSync } from 'node:fs';
import { metricsOver, TRACING } from './optional-packages.ts';

test('the optional packages are those that the platform is tested with', () => {
  const { dependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const named = [TRACING, metricsOver('grpc'), metricsOver('http'), metricsOver('proto')].flatMap(
    ({ packages }) => packages,
  );
  const known = Object.entries(dependencies).map(([name, version]) => `${name}@${version}`);
  expect(known).toEqual(expect.arrayContaining(named));
});
