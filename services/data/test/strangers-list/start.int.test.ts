import { type ApplicationDefinition, defineApplication, restMethod, service, t } from '@lintel/application';
import { isStartError } from '@lintel/errors';
import { dto, string } from '@lintel/metadata';
import { entityPolicy, resourceRole, viewAttributes } from '@lintel/security';
import { startData } from '../data-fixture.ts';
import { CALLS, GARAGE } from './garage.ts';

const CAR = '0a000000-0000-4000-8000-000000000001';

/** Starts the application with demo data, and ends it after the test. */
async function started<T>(
  change: Partial<ApplicationDefinition>,
  properties: Readonly<Record<string, string>>,
  work: (data: Awaited<ReturnType<typeof startData>>) => Promise<T>,
): Promise<T> {
  const users = { admin: { resourceRoles: ['system-full-access'] } };
  const data = await startData(defineApplication({ ...GARAGE, ...change }), users, {
    'svc.demo.enabled': 'true',
    ...properties,
  });
  try {
    CALLS.length = 0;
    await data.service.start();
    return await work(data);
  } finally {
    await data.close();
  }
}

test.each([
  [undefined, null, []],
  [false, null, []],
  [true, 'D1 (Fiat)', ['beforeSave created D1', 'afterSave created D1']],
])('listeners run for demo data if it says so: runListeners %s', async (runListeners, label, calls) => {
  const instances = [
    { entity: 'sec_User', values: { username: 'ada' } },
    { entity: 'garage_Car', values: { id: CAR, vin: 'D1', brand: 'Fiat' } },
  ];
  const demoData = { instances, ...(runListeners !== undefined && { runListeners }) };
  await started({ demoData }, {}, async (data) => {
    expect(CALLS).toEqual(calls);
    const car = (
      await data.send('admin', 'GET', `/entities/garage_Car/${CAR}?fetchPlan=_local&returnNulls=true`)
    ).json();
    expect([car.label, car.version]).toEqual([label, 1]);
  });
});

test.each([
  [
    'a listener that fails',
    { id: CAR, vin: 'D1', brand: 'an HTTP client' },
    /^The demo data cannot be loaded: a listener of garage_Car failed for demo\[1\]: the price server refused \(.*garage\.ts:\d+:\d+\)$/,
  ],
  [
    'an instance that violates a rule',
    { id: CAR, vin: null },
    /^The demo data cannot be loaded: demo\[1\]\.vin: may not be null$/,
  ],
])('the start is refused with one line: %s', async (_, values, expected) => {
  const instances = [
    { entity: 'sec_User', values: { username: 'ada' } },
    { entity: 'garage_Car', values },
  ];
  const loading = started({ demoData: { instances, runListeners: true } }, {}, async () => undefined);
  const error: unknown = await loading.catch((reason: unknown) => reason);
  expect(isStartError(error)).toBe(true);
  expect((error as Error).message).toMatch(expected);
});

test('rights that surprise are warnings in the log, each with its position and a proposal', async () => {
  const change: Partial<ApplicationDefinition> = {
    entities: [...GARAGE.entities, dto('garage_Quote', { attributes: { text: string(50) } })],
    roles: [
      resourceRole('visitor', {
        name: 'Visitor',
        policies: [
          entityPolicy('garage_Badge', 'read', 'create'),
          entityPolicy('garage_Car', 'read'),
          viewAttributes('garage_Car', 'vin'),
          viewAttributes('garage_Owner', 'address'),
        ],
      }),
    ],
    services: [
      service('garage_Quotes', { quote: restMethod({ returns: t.list(t.entity('garage_Quote')) }, () => []) }),
    ],
    demoData: {
      instances: [
        { entity: 'sec_User', values: { username: 'ada' } },
        { entity: 'sec_RoleAssignment', values: { username: 'anonymous', roleCode: 'visitor', roleType: 'resource' } },
      ],
    },
  };
  await started(change, { 'svc.rest.anonymous-url-patterns': '/rest/entities/**' }, async (data) => {
    const warnings = data.warnings.map((fields) => (fields as { readonly warning: string }).warning);
    expect(warnings).toEqual([
      expect.stringMatching(/^Role visitor grants garage_Badge and none of its attributes: .*; add viewAttributes\(/),
      expect.stringMatching(/^Role visitor grants vin of garage_Car and not of its descendant garage_Truck: /),
      expect.stringMatching(
        /^Role visitor grants garage_Owner.address, an embedded object, and not to read garage_Address/,
      ),
      expect.stringMatching(
        /^Service method garage_Quotes.quote returns garage_Quote, and no role grants an attribute/,
      ),
      expect.stringMatching(
        /^Requests without a token may reach \/rest\/entities\/\*\* and change garage_Badge: the user anonymous/,
      ),
    ]);
  });
});
