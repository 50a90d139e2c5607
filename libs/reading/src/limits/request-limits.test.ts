import { loadSettings } from '@lintel/config';
import { requestLimitSettings } from './request-limit-settings.ts';
import { createRequestLimits } from './request-limits.ts';

const load = (values: Record<string, string>) =>
  loadSettings(requestLimitSettings, {
    sources: [{ label: 'test', kind: 'environment', values }],
    readSecretFile: () => '',
  });

test('without properties the defaults hold for all roles', () => {
  const limitsOf = createRequestLimits(load({}));
  expect(limitsOf({ resourceRoles: [] })).toMatchObject({ planNodes: 500, pathHops: 12, toManySteps: 10 });
  expect(limitsOf({ resourceRoles: ['integration'] })).toBe(limitsOf({ resourceRoles: [] }));
});

test('limits have equal keys where they are equal, so that statements are cached by them', () => {
  const limitsOf = createRequestLimits(
    load({
      'svc.rest.limits.role.integration.list-values': '50000',
      'svc.rest.limits.role.exporter.list-values': '50000',
      'svc.rest.limits.role.other.list-values': '60000',
    }),
  );
  const keys = [[], ['clerk'], ['integration'], ['exporter', 'integration'], ['other']].map(
    (resourceRoles) => limitsOf({ resourceRoles }).key,
  );
  expect(keys[1]).toBe(keys[0]);
  expect(keys[3]).toBe(keys[2]);
  expect(new Set(keys).size).toBe(3);
});

test('a role raises a limit, never lowers one, and of several roles the highest value counts', () => {
  const limitsOf = createRequestLimits(
    load({
      'svc.rest.limits.batch-items': '2000',
      'svc.rest.limits.role.integration.batch-items': '50000',
      'svc.rest.limits.role.integration.graph-nodes': '10',
      'svc.rest.limits.role.exporter.batch-items': '3000',
      'svc.rest.limits.role.exporter.graph-nodes': '1000000',
    }),
  );
  expect(limitsOf({ resourceRoles: ['clerk'] })).toMatchObject({ batchItems: 2_000, planNodes: 500 });
  expect(limitsOf({ resourceRoles: ['integration', 'exporter'] })).toMatchObject({
    batchItems: 50_000,
    planNodes: 500,
    graphNodes: 1_000_000,
  });
});
