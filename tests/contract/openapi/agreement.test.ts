import { as, demo, type Response, unique } from '../api.ts';
import { boundaryValues } from './boundary-values.ts';
import type { OpenApi, Schema } from './read-document.ts';

// Every attribute of the example, in requests: what its schema allows is accepted, and what it excludes is refused.

const document: OpenApi = (await as('admin', 'GET', '/docs/openapiDetailed.json')).json();
const send = (method: string, path: string, body?: unknown): Promise<Response> =>
  as('admin', method, `/entities/${path}`, body === undefined ? {} : { body });
const created: string[] = [];

async function create(entity: string, body: object): Promise<string> {
  const response = await send('POST', entity, body);
  if (response.status !== 201) throw new Error(`${entity}: ${response.status} ${response.text}`);
  const { id } = response.json();
  created.push(`${entity}/${id}`);
  return String(id);
}

let codes = 0;
/** A short text that no other test uses. */
const code = (): string => `${Date.now().toString(36).slice(-6)}${(codes++).toString(36)}`;

const customer = { id: demo.customer(1) };
const product = { id: demo.product(1) };
const order = { id: await create('sales_Order', orderOf()) };
function orderOf() {
  return { number: unique('AGR'), date: '2026-01-31', status: 'NEW', customer };
}
const line = { id: await create('sales_OrderLine', { order, product, quantity: 1 }) };
const warehouse = { id: await create('sales_Warehouse', { code: code(), name: 'Agreement' }) };
const REFERENCES: Readonly<Record<string, object>> = { customer, product, order, line, warehouse };

/** What a new instance of each entity needs. */
const BODIES: Readonly<Record<string, () => object>> = {
  sales_Company: () => ({ name: 'Agreement' }),
  sales_Customer: () => ({ name: 'Agreement' }),
  sales_CustomerCategory: () => ({ code: code() }),
  sales_Delivery: () => ({ address: { city: 'Porto' } }),
  sales_LineDiscount: () => ({ line, reason: 'agreed', percent: 1 }),
  sales_Order: orderOf,
  sales_OrderLine: () => ({ order, product, quantity: 1 }),
  sales_Person: () => ({ name: 'Agreement' }),
  sales_Product: () => ({ name: 'Agreement', sku: unique('A'), price: 1 }),
  sales_ProductTag: () => ({ name: unique('A') }),
  sales_StockMovement: () => ({ warehouse, product, quantity: 1, movedAt: '2026-01-31T10:20:30' }),
};

afterAll(async () => {
  for (const path of created.reverse()) await send('DELETE', path);
});

/** Set by the service when an instance is created (contract/writing.md#audit); their schemas are common to all entities. */
const STAMPED = ['version', 'createdDate', 'createdBy'];

const writable = (entity: string): readonly (readonly [string, Schema])[] =>
  Object.entries<Schema>(document.components.schemas[`entity_${entity}`].properties).filter(
    ([name, { readOnly }]) => readOnly !== true && !/^[_+]/.test(name) && name !== 'id' && !STAMPED.includes(name),
  );

const DESCRIBED = /constraints\.(Size|Min|Max|DecimalMin|DecimalMax|Digits|NotNull|NotBlank|Pattern|Email)\./;

/** Whether a value was refused for more than a rule that no schema can express. */
function isDescribedRefusal({ status, text }: Response): boolean {
  if (status !== 400) return false;
  const body: unknown = JSON.parse(text);
  return !Array.isArray(body) || body.some(({ messageTemplate }) => DESCRIBED.test(String(messageTemplate)));
}

test.each(Object.keys(BODIES))(
  'what the document allows for attributes of %s is accepted, what it excludes is refused',
  async (entity) => {
    const disagreements: unknown[] = [];
    for (const [name, schema] of writable(entity)) {
      const { allowed, excluded } = boundaryValues(document, schema, REFERENCES[name]);
      for (const [values, isAllowed] of [
        [allowed, true],
        [excluded, false],
      ] as const)
        for (const value of values) {
          const body = { ...BODIES[entity]?.(), [name]: value };
          const response = await send('POST', entity, body);
          if (response.status === 201) created.push(`${entity}/${response.json().id}`);
          const agrees = isAllowed ? !isDescribedRefusal(response) && response.status < 500 : response.status === 400;
          if (!agrees) disagreements.push([name, value, response.status, response.text.slice(0, 200)]);
        }
    }
    expect(disagreements).toEqual([]);
  },
  60_000,
);

// Asserts contract/api-documents.md#detailed.
test.each(Object.keys(BODIES))(
  'an empty %s is refused for the attributes that the document requires',
  async (entity) => {
    const { requestBody } = document.paths[`/rest/entities/${entity}`]?.['post'] ?? {};
    const { required = [] }: Schema = requestBody?.content?.['application/json']?.schema ?? {};
    const { status, text } = await send('POST', `${entity}?dryRun=true`, {});
    const missing = status === 400 ? JSON.parse(text).map(({ path }: { path: string }) => path) : [];
    expect(missing.sort()).toEqual([...required].sort());
  },
);

test('null is for what the document lets be null: it clears references and embedded objects, and not the parts', async () => {
  const { properties } = document.components.schemas['entity_sales_Order'];
  const path = `sales_Order/${order.id}`;
  expect(properties.lines.type).toBe('array');
  expect((await send('PUT', path, { lines: null })).status).toBe(400);
  expect(JSON.stringify(properties.delivery)).toContain('"null"');
  expect((await send('PUT', path, { delivery: null })).status).toBe(200);
  const buyer = await create('sales_Customer', { name: 'Agreement', address: { city: 'Porto' } });
  expect((await send('PUT', `sales_Customer/${buyer}`, { address: null })).status).toBe(200);
});

test('attributes that the service alone sets are read-only in the document', async () => {
  const { properties } = document.components.schemas['entity_sales_Order'];
  const audit = ['lastModifiedDate', 'lastModifiedBy', 'deletedDate', 'deletedBy'];
  expect(audit.filter((name) => properties[name].readOnly !== true)).toEqual([]);
  const sent = Object.fromEntries(audit.map((name) => [name, name.endsWith('Date') ? '2001-01-01T00:00:00' : 'x']));
  const response = await send('PUT', `sales_Order/${order.id}?responseFetchPlan=_local`, { ...sent, notes: 'audit' });
  expect(response.status).toBe(200);
  expect(response.json()).toMatchObject({ lastModifiedBy: 'admin' });
  expect(response.json().deletedDate ?? null).toBeNull();
});
