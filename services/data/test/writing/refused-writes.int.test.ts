import { type DataFixture, startData } from '../data-fixture.ts';
import { shop } from '../shop-application.ts';
import { databaseChecksum } from './database-checksum.ts';

const PROPERTIES = {
  'svc.rest.optimistic-locking-enabled': 'true',
  'svc.rest.inline-fetch-plan-enabled': 'false',
  'svc.rest.max-body-size': '100KB',
};

/** The data of the cases: two customers, an order with lines, a tagged product, a rate, a warehouse. */
interface Ids {
  readonly customer: string;
  readonly foreign: string;
  readonly order: string;
  readonly closed: string;
  readonly line: string;
  readonly foreignLine: string;
  readonly category: string;
  readonly product: string;
  readonly tag: string;
}

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
}, 60_000);
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

interface Case {
  /** A row of contract/errors.md#catalogue, of contract/writing.md#writing, or a decision. */
  readonly row: string;
  readonly user?: string;
  readonly method: string;
  readonly path: (ids: Ids) => string;
  /** Its valid parts must not be written either. */
  readonly body?: (ids: Ids) => unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
  /** The `error` member; `items` for the array of validation. */
  readonly error: string;
}

const missing = crypto.randomUUID();
const customers = () => 't_Customer';
const customer = ({ customer: id }: Ids) => `t_Customer/${id}`;
const order = ({ order: id }: Ids) => `t_Order/${id}`;

const CASES: readonly Case[] = [
  {
    row: 'contract/errors.md#1, POST',
    method: 'POST',
    path: () => 't_No',
    body: () => ({}),
    status: 404,
    error: 'Entity not found',
  },
  {
    row: 'contract/errors.md#1, PUT',
    method: 'PUT',
    path: () => 't_No/1',
    body: () => ({}),
    status: 404,
    error: 'Entity not found',
  },
  {
    row: 'contract/errors.md#1, DELETE',
    method: 'DELETE',
    path: () => 't_No/1',
    status: 404,
    error: 'Entity not found',
  },
  {
    row: 'contract/errors.md#2, PUT',
    method: 'PUT',
    path: () => `t_Customer/${missing}`,
    body: () => ({ name: 'x' }),
    status: 404,
    error: 'Entity not found',
  },
  {
    row: 'contract/errors.md#2, an element of a PUT batch',
    method: 'PUT',
    path: customers,
    body: ({ customer: id }) => [
      { id, name: 'x' },
      { id: missing, name: 'x' },
    ],
    status: 404,
    error: 'Entity not found',
  },
  {
    row: 'contract/errors.md#2, DELETE',
    method: 'DELETE',
    path: () => `t_Tag/${missing}`,
    status: 404,
    error: 'Entity not found',
  },
  {
    row: 'contract/errors.md#2, an element of a DELETE batch',
    method: 'DELETE',
    path: () => 't_Tag',
    body: ({ tag }) => [tag, missing],
    status: 404,
    error: 'Entity not found',
  },
  {
    row: 'contract/errors.md#2, hidden by a row-level policy',
    user: 'local',
    method: 'PUT',
    path: ({ foreign }) => `t_Customer/${foreign}`,
    body: () => ({ name: 'x' }),
    status: 404,
    error: 'Entity not found',
  },
  {
    row: 'contract/errors.md#2, hidden in a DELETE batch',
    user: 'local',
    method: 'DELETE',
    path: customers,
    body: ({ foreign }) => [foreign],
    status: 404,
    error: 'Entity not found',
  },
  {
    row: 'contract/errors.md#3, PUT',
    method: 'PUT',
    path: () => 't_Customer/x',
    body: () => ({ name: 'x' }),
    status: 400,
    error: 'Invalid entity ID',
  },
  {
    row: 'contract/errors.md#3, DELETE',
    method: 'DELETE',
    path: () => 't_Customer/x',
    status: 400,
    error: 'Invalid entity ID',
  },
  {
    row: 'contract/errors.md#3, an element of a PUT batch',
    method: 'PUT',
    path: customers,
    body: ({ customer: id }) => [{ id, name: 'x' }, { id: 'x' }],
    status: 400,
    error: 'Invalid entity ID',
  },
  {
    row: 'contract/errors.md#3, an element of a DELETE batch',
    method: 'DELETE',
    path: () => 't_Tag',
    body: ({ tag }) => [tag, 'x'],
    status: 400,
    error: 'Invalid entity ID',
  },
  {
    row: 'contract/errors.md#4, create',
    user: 'clerk',
    method: 'POST',
    path: () => 't_Product',
    body: () => ({ name: 'x' }),
    status: 403,
    error: 'Creation forbidden',
  },
  {
    row: 'contract/errors.md#4, update',
    user: 'clerk',
    method: 'PUT',
    path: ({ product }) => `t_Product/${product}`,
    body: () => ({ name: 'x' }),
    status: 403,
    error: 'Updating forbidden',
  },
  {
    row: 'contract/errors.md#4, delete',
    user: 'clerk',
    method: 'DELETE',
    path: ({ product }) => `t_Product/${product}`,
    status: 403,
    error: 'Deletion forbidden',
  },
  {
    row: 'contract/errors.md#5, a child without the right to create',
    user: 'clerk',
    method: 'PUT',
    path: order,
    body: ({ line }) => ({ notes: 'x', lines: [{ id: line, quantity: 1 }, { quantity: 2 }] }),
    status: 403,
    error: 'Forbidden',
  },
  {
    row: 'contract/errors.md#5, a child without the right to delete',
    user: 'clerk',
    method: 'PUT',
    path: order,
    body: () => ({ notes: 'x', lines: [] }),
    status: 403,
    error: 'Forbidden',
  },
  {
    row: 'contract/errors.md#5, a row-level predicate on creating',
    user: 'small',
    method: 'PUT',
    path: order,
    body: ({ line }) => ({ notes: 'x', lines: [{ id: line, quantity: 1 }, { quantity: 11 }] }),
    status: 403,
    error: 'Forbidden',
  },
  {
    row: 'contract/errors.md#5, a row-level predicate on updating',
    user: 'small',
    method: 'PUT',
    path: order,
    body: ({ line }) => ({ notes: 'x', lines: [{ id: line, quantity: 11 }] }),
    status: 403,
    error: 'Forbidden',
  },
  {
    row: 'contract/errors.md#5, a row-level predicate on deleting',
    user: 'small',
    method: 'DELETE',
    path: () => 't_Order',
    body: ({ order: open, closed }) => [open, closed],
    status: 403,
    error: 'Forbidden',
  },
  {
    row: 'contract/errors.md#7, POST',
    method: 'POST',
    path: () => 't_Customer?responseFetchPlan=nope',
    body: () => ({ name: 'x' }),
    status: 400,
    error: 'Fetch plan not found',
  },
  {
    row: 'contract/errors.md#7, PUT with the alias',
    method: 'PUT',
    path: (each) => `${customer(each)}?responseView=nope`,
    body: () => ({ name: 'x' }),
    status: 400,
    error: 'Fetch plan not found',
  },
  {
    row: 'contract/errors.md#9',
    method: 'POST',
    path: () => `t_Customer?responseFetchPlan=${encodeURIComponent('{"entity":"t_Customer","properties":["name"]}')}`,
    body: () => ({ name: 'x' }),
    status: 400,
    error: 'Inline fetch plans are disabled',
  },
  {
    row: 'contract/errors.md#14, POST',
    method: 'POST',
    path: customers,
    body: () => '{"name":"x"',
    status: 400,
    error: 'Malformed request JSON data structure',
  },
  {
    row: 'contract/errors.md#14, DELETE batch',
    method: 'DELETE',
    path: () => 't_Tag',
    body: () => '[',
    status: 400,
    error: 'Malformed request JSON data structure',
  },
  {
    row: 'contract/errors.md#15, an unknown enum constant',
    method: 'POST',
    path: customers,
    body: () => ({ name: 'x', grade: 'X' }),
    status: 400,
    error: 'An error occurred while parsing enum. Class [class t.Grade]. Value [X].',
  },
  {
    row: 'contract/errors.md#15, a reference that is no object',
    method: 'POST',
    path: customers,
    body: () => ({ name: 'x', category: 'x' }),
    status: 400,
    error: "Attribute 'category' refers to an entity. Property value must be a JSON object literal",
  },
  {
    row: 'contract/errors.md#15, a collection that is no array',
    method: 'POST',
    path: () => 't_Order',
    body: ({ customer: id }) => ({ number: 'C', customer: { id }, lines: {} }),
    status: 400,
    error: "Attribute 'lines' refers to a collection. Property value must be a JSON array literal",
  },
  {
    row: 'contract/errors.md#15, a text that is no boolean',
    method: 'POST',
    path: customers,
    body: () => ({ name: 'x', active: 'yes' }),
    status: 400,
    error: 'An error occurred while parsing property. Type [boolean]. Value [yes].',
  },
  {
    row: 'contract/errors.md#16, PUT',
    method: 'PUT',
    path: customer,
    body: () => ({ name: 'x', limit: 'much' }),
    status: 400,
    error: 'Cannot deserialize an entity from JSON',
  },
  {
    row: 'contract/errors.md#16, an element of a POST batch',
    method: 'POST',
    path: customers,
    body: () => [{ name: 'x' }, { name: 'y', birthDate: '31.12.2026' }],
    status: 400,
    error: 'Cannot deserialize an entity from JSON',
  },
  {
    row: 'contract/errors.md#16, an element of a PUT batch',
    method: 'PUT',
    path: customers,
    body: ({ customer: one, foreign }) => [
      { id: one, name: 'x' },
      { id: foreign, birthDate: 'x' },
    ],
    status: 400,
    error: 'Cannot deserialize an entity from JSON',
  },
  {
    row: 'contract/writing.md#body-errors, a list for an embedded attribute (contract/decisions.md#8)',
    method: 'PUT',
    path: customer,
    body: () => ({ name: 'x', address: [] }),
    status: 400,
    error: 'Cannot deserialize an entity from JSON',
  },
  {
    row: 'contract/writing.md#body-errors, null for a 1:N composition (contract/decisions.md#8)',
    method: 'PUT',
    path: order,
    body: () => ({ notes: 'x', lines: null }),
    status: 400,
    error: 'Cannot deserialize an entity from JSON',
  },
  {
    row: 'contract/writing.md#body-errors, an array for a 1:1 composition (contract/decisions.md#8)',
    method: 'PUT',
    path: order,
    body: () => ({ notes: 'x', delivery: [] }),
    status: 400,
    error: 'Cannot deserialize an entity from JSON',
  },
  {
    row: 'contract/errors.md#17, create',
    method: 'POST',
    path: customers,
    body: () => [{ name: 'x' }, { name: 'y', category: { id: missing } }],
    status: 400,
    error: 'Entity creation failed',
  },
  {
    row: 'contract/errors.md#17, update',
    method: 'PUT',
    path: ({ product }) => `t_Product/${product}`,
    body: ({ tag }) => ({ name: 'x', tags: [{ id: tag }, { id: missing }] }),
    status: 400,
    error: 'Entity update failed',
  },
  {
    row: 'contract/errors.md#17, a member of a 1:N association (contract/decisions.md#6)',
    method: 'PUT',
    path: customer,
    body: ({ product }) => ({ name: 'x', favourites: [{ id: product }, { id: missing }] }),
    status: 400,
    error: 'Entity update failed',
  },
  {
    row: 'contract/errors.md#18',
    method: 'PUT',
    path: customers,
    body: ({ customer: id }) => ({ id, name: 'x' }),
    status: 400,
    error: 'The body of bulk update request should be an array',
  },
  {
    row: 'contract/errors.md#19',
    method: 'DELETE',
    path: () => 't_Tag',
    body: ({ tag }) => [tag, {}],
    status: 400,
    error: 'Required attribute id is not presented',
  },
  {
    row: 'contract/writing.md#delete, a DELETE batch that is no array (contract/decisions.md#8)',
    method: 'DELETE',
    path: () => 't_Tag',
    body: ({ tag }) => ({ id: tag }),
    status: 400,
    error: 'The body of bulk delete request should be an array',
  },
  {
    row: 'contract/writing.md#batches, an element of a PUT batch without a key (contract/decisions.md#8)',
    method: 'PUT',
    path: customers,
    body: ({ customer: id }) => [{ id, name: 'x' }, { name: 'y' }],
    status: 400,
    error: 'Required attribute id is not presented',
  },
  {
    row: 'contract/errors.md#20, PUT',
    method: 'PUT',
    path: order,
    body: () => ({ notes: 'x', version: 99 }),
    status: 400,
    error: 'Optimistic lock',
  },
  {
    row: 'contract/errors.md#20, an element of a PUT batch',
    method: 'PUT',
    path: () => 't_Order',
    body: ({ order: one, closed }) => [
      { id: one, notes: 'x' },
      { id: closed, notes: 'x', version: 99 },
    ],
    status: 400,
    error: 'Optimistic lock',
  },
  {
    row: 'contract/errors.md#20, a composition child',
    method: 'PUT',
    path: order,
    body: ({ line }) => ({ notes: 'x', lines: [{ id: line, quantity: 5, version: 99 }] }),
    status: 400,
    error: 'Optimistic lock',
  },
  {
    row: 'contract/errors.md#21',
    method: 'DELETE',
    path: customers,
    body: ({ foreign, customer: id }) => [foreign, id],
    status: 409,
    error: 'Delete policy violation',
  },
  {
    row: 'contract/errors.md#22, create',
    method: 'POST',
    path: customers,
    body: () => [{ name: 'x' }, { name: 'y', email: 'nobody' }],
    status: 400,
    error: 'items',
  },
  {
    row: 'contract/errors.md#22, a child of an update',
    method: 'PUT',
    path: order,
    body: ({ line }) => ({ notes: 'x', lines: [{ id: line, quantity: 3 }, { quantity: 0 }] }),
    status: 400,
    error: 'items',
  },
  {
    row: 'contract/errors.md#22, a rule of the class',
    method: 'PUT',
    path: ({ closed }) => `t_Order/${closed}`,
    body: () => ({ notes: 'x', lines: [] }),
    status: 400,
    error: 'items',
  },
  {
    row: 'contract/errors.md#22, a member that cannot be without its inverse reference (contract/decisions.md#52)',
    method: 'PUT',
    path: customer,
    body: () => ({ name: 'x', orders: [] }),
    status: 400,
    error: 'items',
  },
  {
    row: 'contract/errors.md#22, a value that the column cannot hold (contract/decisions.md#17)',
    method: 'POST',
    path: () => 't_Everything',
    body: () => ({ shortText: 'too long', text: 'x' }),
    status: 400,
    error: 'items',
  },
  {
    row: 'contract/errors.md#41, a unique value that is taken (contract/decisions.md#17)',
    method: 'POST',
    path: () => 't_Category',
    body: () => [{ code: 'FREE' }, { code: 'TAKEN' }],
    status: 409,
    error: 'Unique constraint violation',
  },
  {
    row: 'contract/errors.md#41, a row that others refer to (contract/decisions.md#17)',
    method: 'DELETE',
    path: () => 't_Warehouse/MAIN',
    status: 409,
    error: 'Referential integrity violation',
  },
  {
    row: 'contract/decisions.md#16, an id that is taken',
    method: 'POST',
    path: customers,
    body: ({ customer: id }) => [{ name: 'x' }, { id, name: 'y' }],
    status: 409,
    error: 'Entity already exists',
  },
  {
    row: 'contract/decisions.md#16, an id that a hidden row has',
    user: 'local',
    method: 'POST',
    path: customers,
    body: ({ foreign: id }) => ({ id, name: 'y' }),
    status: 409,
    error: 'Entity already exists',
  },
  {
    row: 'contract/writing.md#update, the id of a child of another parent (contract/decisions.md#16)',
    method: 'PUT',
    path: order,
    body: ({ foreignLine }) => ({ notes: 'x', lines: [{ id: foreignLine, quantity: 5 }] }),
    status: 409,
    error: 'Entity already exists',
  },
  {
    row: 'contract/decisions.md#18, one id twice in a POST batch',
    method: 'POST',
    path: customers,
    body: () => [
      { id: missing, name: 'x' },
      { id: missing, name: 'y' },
    ],
    status: 400,
    error: 'Cannot deserialize an entity from JSON',
  },
  {
    row: 'contract/decisions.md#18, one id twice in a PUT batch',
    method: 'PUT',
    path: customers,
    body: ({ customer: id }) => [
      { id, name: 'x' },
      { id, name: 'y' },
    ],
    status: 400,
    error: 'Cannot deserialize an entity from JSON',
  },
  {
    row: 'contract/decisions.md#18, one id twice in a DELETE batch',
    method: 'DELETE',
    path: () => 't_Tag',
    body: ({ tag }) => [tag, { id: tag }],
    status: 400,
    error: 'Cannot deserialize an entity from JSON',
  },
  {
    row: 'contract/decisions.md#54, PUT with a stale If-Match',
    method: 'PUT',
    path: order,
    body: () => ({ notes: 'x' }),
    headers: { 'if-match': '"99.x"' },
    status: 412,
    error: 'Precondition failed',
  },
  {
    row: 'contract/decisions.md#54, DELETE with a stale If-Match',
    method: 'DELETE',
    path: order,
    headers: { 'if-match': '"99.x"' },
    status: 412,
    error: 'Precondition failed',
  },
  {
    row: 'contract/decisions.md#39, a user without the API',
    user: 'nobody',
    method: 'POST',
    path: customers,
    body: () => ({ name: 'x' }),
    status: 403,
    error: 'Forbidden',
  },
  {
    row: 'a body that is too large',
    method: 'POST',
    path: customers,
    body: () => ({ name: 'x'.repeat(200_000) }),
    status: 413,
    error: 'Payload too large',
  },
  {
    row: 'contract/errors.md#45, a method that is not allowed',
    method: 'POST',
    path: customer,
    body: () => ({ name: 'x' }),
    status: 405,
    error: 'Method not allowed',
  },
  {
    row: 'contract/errors.md#45, a response type that the client does not accept',
    method: 'POST',
    path: customers,
    body: () => ({ name: 'x' }),
    headers: { accept: 'text/csv' },
    status: 406,
    error: 'Not acceptable',
  },
  {
    row: 'a listener that fails after everything was written',
    method: 'PUT',
    path: order,
    body: () => ({ notes: 'explode' }),
    status: 500,
    error: 'Server error',
  },
];

test.each(CASES)('the refusal of $row changes no row of any table', async (one) => {
  const before = await databaseChecksum(data.database);
  const path = `/entities/${one.path(ids)}`;
  const response = await data.send(one.user ?? 'admin', one.method, path, one.body?.(ids), one.headers);
  const body = response.json();
  expect([response.status, Array.isArray(body) ? 'items' : body.error]).toEqual([one.status, one.error]);
  expect(await databaseChecksum(data.database)).toEqual(before);
});

test('the checksum detects a single changed value', async () => {
  const before = await databaseChecksum(data.database);
  await data.query("UPDATE t.customer SET name = name || '!' WHERE id = $1", [ids.foreign]);
  const after = await databaseChecksum(data.database);
  expect(Object.keys(after).filter((name) => after[name] !== before[name])).toEqual(['t.customer']);
  expect(Object.keys(after)).toEqual(expect.arrayContaining(['events.outbox', 'sec."user"', 't.line']));
});
