import { type DataFixture, startData } from '../data-fixture.ts';
import { shop } from '../shop-application.ts';
import { databaseChecksum } from './database-checksum.ts';
import { BROKEN_RULES } from './refused-writes/broken-rules.ts';
import { MISSING_OR_FORBIDDEN } from './refused-writes/missing-or-forbidden.ts';
import type { Ids } from './refused-writes/refused-write.ts';
import { WRONG_BODIES } from './refused-writes/wrong-bodies.ts';

const PROPERTIES = {
  'svc.rest.optimistic-locking-enabled': 'true',
  'svc.rest.inline-fetch-plan-enabled': 'false',
  'svc.rest.max-body-size': '100KB',
};

let data: DataFixture;
let ids: Ids;
beforeAll(async () => {
  data = await startData(
    shop,
    {
      admin: { resourceRoles: ['system-full-access'] },
      clerk: { resourceRoles: ['clerk'] },
      local: { resourceRoles: ['system-full-access'], rowLevelRoles: ['own-country'], attributes: { country: 'DE' } },
      small: { resourceRoles: ['system-full-access'], rowLevelRoles: ['small-orders'] },
      nobody: { resourceRoles: [] },
    },
    PROPERTIES,
  );
  ids = await createAll();
});
afterAll(() => data.close());

const create = async (entity: string, body: unknown): Promise<string> => {
  const response = await data.send('admin', 'POST', `/entities/${entity}`, body);
  expect([response.status, response.text]).toEqual([201, expect.any(String)]);
  return response.json().id;
};

async function createAll(): Promise<Ids> {
  const lines = [crypto.randomUUID(), crypto.randomUUID()];
  const customer = await create('t_Customer', { name: 'Ada', address: { country: 'DE' } });
  const foreign = await create('t_Customer', { name: 'Bob', address: { country: 'FR' } });
  const owner = { id: customer };
  const order = await create('t_Order', { number: 'A', customer: owner, lines: [{ id: lines[0], quantity: 1 }] });
  const other = await create('t_Order', { number: 'B', customer: owner, lines: [{ id: lines[1], quantity: 2 }] });
  expect((await data.send('admin', 'PUT', `/entities/t_Order/${other}`, { state: 'CLOSED' })).status).toBe(200);
  await create('t_Rate', { id: { currency: 'EUR', validOn: '2026-01-01' }, rate: 1 });
  await create('t_Warehouse', { code: 'MAIN', name: 'main' });
  await create('t_Movement', { warehouse: { id: 'MAIN' }, quantity: 1 });
  const tag = await create('t_Tag', { name: 'red' });
  return {
    customer,
    foreign,
    order,
    closed: other,
    line: String(lines[0]),
    foreignLine: String(lines[1]),
    category: await create('t_Category', { code: 'TAKEN' }),
    product: await create('t_Product', { name: 'p', tags: [{ id: tag }] }),
    tag,
  };
}

// Asserts contract/conventions.md#bad-input, contract/decisions.md#16, contract/decisions.md#18,
// contract/errors.md#catalogue, contract/row-policies.md#merge, contract/row-policies.md#writing,
// contract/writing.md#audit, contract/writing.md#batches, contract/writing.md#create, contract/writing.md#delete,
// contract/writing.md#response, contract/writing.md#validation, contract/writing.md#versions.
test.each([...MISSING_OR_FORBIDDEN, ...WRONG_BODIES, ...BROKEN_RULES])(
  'the refusal of $row changes no row of any table',
  async (one) => {
    const before = await databaseChecksum(data.database);
    const path = `/entities/${one.path(ids)}`;
    const response = await data.send(one.user ?? 'admin', one.method, path, one.body?.(ids), one.headers);
    const body = response.json();
    expect([response.status, Array.isArray(body) ? 'items' : body.error]).toEqual([one.status, one.error]);
    expect(await databaseChecksum(data.database)).toEqual(before);
  },
);

// Asserts contract/errors.md#catalogue.
test('the checksum detects a single changed value', async () => {
  const before = await databaseChecksum(data.database);
  await data.query("UPDATE t.customer SET name = name || '!' WHERE id = $1", [ids.foreign]);
  const after = await databaseChecksum(data.database);
  expect(Object.keys(after).filter((name) => after[name] !== before[name])).toEqual(['t.customer']);
  expect(Object.keys(after)).toEqual(expect.arrayContaining(['events.outbox', 'sec."user"', 't.line']));
});
