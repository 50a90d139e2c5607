import { type Arbitrary, fc } from '@lintel/testkit/properties';
import { demo, unique } from '../../api.ts';
import type { OpenApi, Schema } from '../read-document.ts';
import { type Hints, valuesOf } from './sample-schema.ts';
import type { SampledOperation } from './sampled-requests.ts';

/** An entity of the example: what a new instance needs, and an instance that is read and changed. */
interface SampledEntity {
  readonly base: () => object;
  readonly id: string;
}

const reference = (id: string): Arbitrary<unknown> => fc.constant({ id });
const customer = { id: demo.customer(2) };
const product = { id: demo.product(2) };

const ENTITIES: Readonly<Record<string, SampledEntity>> = {
  sales_Customer: { base: () => ({ name: 'Sampled' }), id: demo.customer(3) },
  sales_Order: {
    base: () => ({ number: unique('S'), date: '2026-01-31', status: 'NEW', customer }),
    id: demo.order(3),
  },
  sales_Product: { base: () => ({ name: 'Sampled', sku: unique('S'), price: 1 }), id: demo.product(3) },
  sales_StockMovement: {
    base: () => ({ warehouse: { id: 'BER' }, product, quantity: 1, movedAt: '2026-01-31T10:20:30' }),
    id: '1',
  },
};

/** Instances that exist, and no others: of entities that are not parts. */
const REFERENCES: Readonly<Record<string, Arbitrary<unknown> | undefined>> = {
  entity_sales_Customer: reference(customer.id),
  entity_sales_Product: reference(product.id),
  entity_sales_Order: reference(demo.order(4)),
  entity_sales_Warehouse: reference('BER'),
  entity_sec_User: reference(demo.user(2)),
  entity_sales_CustomerCategory: undefined,
  entity_sales_ProductTag: undefined,
};

/** What has a meaning that no schema describes: versions, positions in lists, names of other systems. */
const MEANINGFUL = [
  ...['cursor', 'modelVersion', '_entityName', '__securityToken', 'id', 'version', 'createdDate', 'createdBy'],
  // Files, a unique code, an attribute without a column, and the references of parts to their owners.
  ...['attachment', 'avatar', 'code', 'internalNote', 'order', 'line'],
];
const left = Object.fromEntries(MEANINGFUL.map((name) => [name, undefined]));

const OF_TEXTS = ['=', '<>', 'contains', 'doesNotContain', 'startsWith', 'endsWith'];
const OF_NUMBERS = ['=', '<>', '>', '>=', '<', '<='];

function hintsFor(document: OpenApi, entity: string): Hints {
  const { properties } = document.components.schemas[`entity_${entity}`];
  const scalars = Object.entries<Schema>(properties).filter(
    ([name, schema]) => !/^[_+]/.test(name) && isSortable(schema) && !MEANINGFUL.includes(name),
  );
  const names = scalars.map(([name]) => name);
  const plan = fc.subarray(names, { minLength: 1 }).map((some) => ({ entity, properties: some }));
  const base: Hints = { byName: left, bySchema: REFERENCES };
  const condition = fc
    .constantFrom(...scalars)
    .chain(([property, schema]) => conditionsOf(document, base, property, schema));
  return {
    byName: {
      ...left,
      fetchPlan: fc.oneof(fc.constantFrom('_base', '_local', '_instance_name'), plan),
      responseFetchPlan: fc.constantFrom('_base', '_local', '_instance_name'),
      sort: fc.subarray(names, { minLength: 1 }).map((some) =>
        some
          .slice(0, 3)
          .map((name, at) => (at % 2 === 1 ? `-${name}` : name))
          .join(),
      ),
      limit: fc.integer({ min: 0, max: 5 }),
      offset: fc.integer({ min: 0, max: 5 }),
    },
    bySchema: { ...REFERENCES, Condition: condition, FetchPlan: plan },
  };
}

const isSortable = ({ type, readOnly }: Schema): boolean =>
  readOnly !== true && [type].flat().some((one: string) => ['string', 'integer', 'number', 'boolean'].includes(one));

function conditionsOf(document: OpenApi, hints: Hints, property: string, schema: Schema): Arbitrary<unknown> {
  const one = Array.isArray(schema.type) ? { ...schema, type: schema.type[0] } : schema;
  const values = valuesOf(document, hints, {
    ...one,
    ...(one.enum && { enum: one.enum.filter((value: unknown) => value !== null) }),
  });
  const isText = one.type === 'string' && one.format === undefined && one.enum === undefined;
  const operators = isText
    ? OF_TEXTS
    : one.type === 'boolean' || one.enum !== undefined || one.format === 'uuid'
      ? ['=', '<>']
      : OF_NUMBERS;
  return fc.oneof(
    fc.tuple(fc.constantFrom(...operators), values).map(([operator, value]) => ({ property, operator, value })),
    fc.array(values, { minLength: 1, maxLength: 3 }).map((value) => ({ property, operator: 'in', value })),
    fc.constantFrom('notEmpty', 'isNull').map((operator) => ({ property, operator, value: true })),
  );
}

/** The operations of the entities. */
function entityOperations(document: OpenApi, entity: string, { base, id }: SampledEntity): readonly SampledOperation[] {
  const hints = hintsFor(document, entity);
  const path = `/rest/entities/${entity}`;
  const pathValues = { entityId: id };
  const named = /^\d+$/.test(id) ? Number(id) : id;
  return [
    { path, method: 'get', hints },
    { path, method: 'post', hints, base },
    // Many at once; each names its instance.
    { path, method: 'put', hints, base: () => ({ id: named }) },
    { path, method: 'patch', hints, base: () => ({ id: named }) },
    { path: `${path}/{entityId}`, method: 'get', pathValues, hints },
    { path: `${path}/{entityId}`, method: 'put', pathValues, hints },
    { path: `${path}/{entityId}`, method: 'patch', pathValues, hints },
    ...['/search', '/search/count'].flatMap((tail) =>
      ['get', 'post'].map((method) => ({ path: `${path}${tail}`, method, hints })),
    ),
  ];
}

const CALLS = [
  ...[
    'sales_Order/ordersByStatus',
    'sales_Order/ordersByCustomers',
    'sales_Order/myOrders',
    'sales_Customer/topCustomers',
  ].flatMap((query) => [`queries/${query}`, `queries/${query}/count`]),
  ...['calculateTotal', 'quote', 'byDate', 'ping'].map((method) => `services/sales_OrderService/${method}`),
  ...['sum', 'statistics'].map((method) => `services/sales_ReportingService/${method}`),
];

/** The operations that are sampled. */
export function operationsOf(document: OpenApi): readonly SampledOperation[] {
  const calls = CALLS.flatMap((call) => {
    const path = `/rest/${call}`;
    const hints = hintsFor(document, call.includes('sales_Customer') ? 'sales_Customer' : 'sales_Order');
    const own: Hints = { ...hints, byName: { ...hints.byName, orderId: fc.constant(demo.order(1)) } };
    return ['get', 'post']
      .filter((method) => document.paths[path]?.[method])
      .map((method) => ({ path, method, hints: own }));
  });
  const none: Hints = { byName: left, bySchema: {} };
  return [
    ...Object.entries(ENTITIES).flatMap(([entity, of]) => entityOperations(document, entity, of)),
    ...calls,
    {
      path: '/rest/reports/run/code/{code}',
      method: 'post',
      pathValues: { code: 'sales-by-customer' },
      hints: reportHints,
    },
    { path: '/rest/user-session/history', method: 'get', hints: none },
    { path: '/rest/docs/openapi.json', method: 'get', hints: none },
  ];
}

const days = fc.constantFrom('2026-01-01', '2026-12-31');
const reportHints: Hints = {
  byName: {
    // May be any text.
    attachment: undefined,
    template: fc.constant('csv'),
    parameters: fc.tuple(days, days).map(([from, to]) => [
      { name: 'from', value: from },
      { name: 'to', value: to },
    ]),
  },
  bySchema: {},
};
