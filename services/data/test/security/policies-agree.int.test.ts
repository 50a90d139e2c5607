import { type Application, bindApplication, defineApplication } from '@lintel/application';
import {
  boolean,
  decimal,
  double,
  embeddable,
  embedded,
  enumeration,
  enumOf,
  integer,
  localDate,
  localDateTime,
  localTime,
  long,
  standardEntity,
  string,
  toOne,
} from '@lintel/metadata';
import { entityPolicy, modifyAttributes, readRowPolicy, resourceRole, rowLevelRole } from '@lintel/security';
import { cases, fc } from '@lintel/testkit/properties';
import { startData, type TestUser } from '../data-fixture.ts';
import { OWNERS, policyText } from './generate-policy.ts';

const POLICIES = cases(100);
const INSTANCES = 60;

const Status = enumeration('p.Status', { NEW: 10, DONE: 20 });
const bare = defineApplication({
  id: 'p',
  name: 'Policies',
  enums: [Status],
  entities: [
    embeddable('p_Address', { attributes: { country: string(2) } }),
    standardEntity('p_Owner', { attributes: { name: string(50), address: embedded('p_Address') } }),
    standardEntity('p_Thing', {
      attributes: {
        number: integer().mandatory(),
        name: string(50),
        status: enumOf(Status),
        price: decimal(19, 2),
        weight: double(),
        count: integer(),
        serial: long(),
        isOpen: boolean(),
        day: localDate(),
        at: localDateTime(),
        time: localTime(),
        owner: toOne('p_Owner'),
      },
    }),
  ],
  roles: [
    resourceRole('all', { name: 'All', policies: [entityPolicy('*', 'all'), modifyAttributes('*', '*')] }),
    resourceRole('rest', { name: 'REST', policies: [{ kind: 'specific', name: 'rest.enabled' }] }),
  ],
});

const texts = fc.sample(policyText, POLICIES);
const stored = { entityName: 'p_Thing', action: 'read', joinClause: null };

/** Each text as a role with a query policy and as a role with a predicate policy. */
const application: Application = bindApplication(
  {
    ...bare,
    rowLevelRoles: texts.flatMap((text, at) => [
      rowLevelRole(`query-${at}`, {
        name: text,
        policies: [readRowPolicy(bare.model, { ...stored, type: 'query', whereClause: text, script: null })],
      }),
      rowLevelRole(`predicate-${at}`, {
        name: text,
        policies: [readRowPolicy(bare.model, { ...stored, type: 'predicate', whereClause: null, script: text })],
      }),
    ]),
  },
  [],
);

const user = (...rowLevelRoles: string[]): TestUser => ({
  resourceRoles: ['all', 'rest'],
  rowLevelRoles,
  attributes: { country: 'DE' },
});
const users: Readonly<Record<string, TestUser>> = Object.fromEntries([
  ['admin', user()],
  ...texts.flatMap((_text, at) =>
    ['query', 'predicate'].map((kind): [string, TestUser] => [`${kind}-${at}`, user(`${kind}-${at}`)]),
  ),
]);

/** Attributes with or without values, in combinations that the seed determines. */
const thing = fc.record(
  {
    name: fc.constantFrom('a', 'b', 'A', '', 'ß%', 'xaz'),
    status: fc.constantFrom('NEW', 'DONE'),
    price: fc.constantFrom('10.50', '10.51', '0.00', '-3.00'),
    weight: fc.constantFrom(1.5, 0.1, 2),
    count: fc.constantFrom(0, 1, 2, -1),
    serial: fc.constantFrom('9007199254740992', '9007199254740993', '-5', '1'),
    isOpen: fc.boolean(),
    day: fc.constantFrom('2026-11-21', '2026-02-28', '2000-01-01'),
    at: fc.constantFrom('2026-11-21T10:00:00.000', '2026-11-21T10:00:00.500'),
    time: fc.constantFrom('10:00:00', '23:59:59'),
    owner: fc.constantFrom(...OWNERS.map((id) => ({ id }))),
  },
  { requiredKeys: [] },
);

let data: Awaited<ReturnType<typeof startData>>;

beforeAll(async () => {
  data = await startData(application, users);
  const create = async (entity: string, values: readonly object[]) => {
    const response = await data.send('admin', 'POST', `/entities/${entity}`, values);
    if (response.status !== 201) throw new Error(`${entity}: ${response.text}`);
  };
  const [anna, bert, nobody] = OWNERS;
  await create('p_Owner', [
    { id: anna, name: 'anna', address: { country: 'DE' } },
    { id: bert, name: 'bert', address: { country: 'FR' } },
    { id: nobody },
  ]);
  const things = fc.sample(thing, INSTANCES);
  await create(
    'p_Thing',
    things.map((values, number) => ({ ...values, number })),
  );
});
afterAll(() => data?.close());

const seen = async (username: string): Promise<readonly number[]> => {
  const plan = encodeURIComponent(JSON.stringify({ entity: 'p_Thing', properties: ['number'] }));
  const response = await data.send(username, 'GET', `/entities/p_Thing?returnCount=true&fetchPlan=${plan}&sort=number`);
  expect([response.status, response.status === 200 ? '' : response.text]).toEqual([200, '']);
  const numbers = response.json().map(({ number }: { number: number }) => number);
  expect(response.headers.get('x-total-count')).toBe(String(numbers.length));
  return numbers;
};

// Asserts contract/decisions.md#59, contract/row-policies.md#policies.
test('a condition hides the same rows as a query policy, in the database, and as a predicate policy, in memory', async () => {
  const differences: string[] = [];
  let hiding = 0;
  for (const [at, text] of texts.entries()) {
    const [query, predicate] = await Promise.all([seen(`query-${at}`), seen(`predicate-${at}`)]);
    if (JSON.stringify(query) !== JSON.stringify(predicate))
      differences.push(`${text}: query ${JSON.stringify(query)}, predicate ${JSON.stringify(predicate)}`);
    if (query.length > 0 && query.length < INSTANCES) hiding += 1;
  }
  expect(differences).toEqual([]);
  // If all conditions matched everything or nothing, the test would prove nothing.
  expect(hiding).toBeGreaterThan(POLICIES.numRuns / 2);
});
