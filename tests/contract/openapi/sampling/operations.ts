import { type Arbitrary, fc } from '@lintel/testkit/properties';
import { demo, unique } from '../../api.ts';
import type { OpenApi, Schema } from '../read-document.ts';
import { type Hints, valuesOf } from './sample-schema.ts';
import type { SampledOperation } from './sampled-requests.ts';

/**
 * Instances of the test itself, by entity: other tests run at the same time, and read those of the example.
 */
export interface SampledInstances {
  /** What instances refer to; nothing changes them. */
  readonly references: Readonly<Record<ReferencedEntity, string>>;
  /** What is read and changed. */
  readonly targets: Readonly<Record<ChangedEntity, string>>;
}

type ReferencedEntity = 'sales_Customer' | 'sales_Product' | 'sales_Order';
type ChangedEntity = ReferencedEntity | 'sales_StockMovement';

/** What a new instance needs. */
type Bases = Readonly<Record<ChangedEntity, () => object>>;

function basesOf(customer: string, product: string): Bases {
  return {
    sales_Customer: () => ({ name: 'Sampled' }),
    sales_Order: () => ({ number: unique('S'), date: '2026-01-31', status: 'NEW', customer: { id: customer } }),
    sales_Product: () => ({ name: 'Sampled', sku: unique('S'), price: 1 }),
    sales_StockMovement: () => ({
      ...{ warehouse: { id: 'BER' }, product: { id: product } },
      ...{ quantity: 1, movedAt: '2026-01-31T10:20:30' },
    }),
  };
}

/** @param create creates an instance and returns its id */
export async function createInstances(
  create: (entity: string, instance: object) => Promise<string>,
): Promise<SampledInstances> {
  // Other tests read the addresses of all customers with orders.
  const customer = await create('sales_Customer', { name: 'Sampled', address: { city: 'Lyon', country: 'FR' } });
  const product = await create('sales_Product', { name: 'Sampled', sku: unique('S'), price: 1 });
  const bases = basesOf(customer, product);
  const of = (entity: ChangedEntity): Promise<string> => create(entity, bases[entity]());
  return {
    references: { sales_Customer: customer, sales_Product: product, sales_Order: await of('sales_Order') },
    targets: {
      sales_Customer: await of('sales_Customer'),
      sales_Order: await of('sales_Order'),
      sales_Product: await of('sales_Product'),
      sales_StockMovement: await of('sales_StockMovement'),
    },
  };
}

const reference = (id: string): Arbitrary<unknown> => fc.constant({ id });

/** Instances that exist, and no others: of entities that are not parts. */
const referencesTo = ({ references }: SampledInstances): Hints['bySchema'] => ({
  entity_sales_Customer: reference(references.sales_Customer),
  entity_sales_Product: reference(references.sales_Product),
  entity_sales_Order: reference(references.sales_Order),
  entity_sales_Warehouse: reference('BER'),
  entity_sec_User: reference(demo.user(2)),
  entity_sales_CustomerCategory: undefined,
  entity_sales_ProductTag: undefined,
});

/** What has a meaning that no schema describes: versions, positions in lists, names of other systems. */
const MEANINGFUL = [
  ...['cursor', 'modelVersion', '_entityName', '__securityToken', 'id', 'version', 'createdDate', 'createdBy'],
  // Some entities have no searchable attributes.
  'q',
  // It needs `q`.
  'highlights',
  // Files, a unique code, an attribute without a column, and the references of parts to their owners.
  ...['attachment', 'avatar', 'code', 'internalNote', 'order', 'line'],
];
const left = Object.fromEntries(MEANINGFUL.map((name) => [name, undefined]));

const OF_TEXTS = ['=', '<>', 'contains', 'doesNotContain', 'startsWith', 'endsWith'];
const OF_NUMBERS = ['=', '<>', '>', '>=', '<', '<='];

function hintsFor(document: OpenApi, instances: SampledInstances, entity: string): Hints {
  const { properties } = document.components.schemas[`entity_${entity}`];
  const scalars = Object.entries<Schema>(properties).filter(
    ([name, schema]) => !/^[_+]/.test(name) && isSortable(schema) && !MEANINGFUL.includes(name),
  );
  const names = scalars.map(([name]) => name);
  const plan = fc.subarray(names, { minLength: 1 }).map((some) => ({ entity, properties: some }));
  const bySchema = referencesTo(instances);
  const base: Hints = { byName: left, bySchema };
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
    bySchema: { ...bySchema, Condition: condition, FetchPlan: plan },
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

const ENTITIES: readonly ChangedEntity[] = ['sales_Customer', 'sales_Order', 'sales_Product', 'sales_StockMovement'];

/** The operations of an entity. */
function entityOperations(
  document: OpenApi,
  instances: SampledInstances,
  entity: ChangedEntity,
): readonly SampledOperation[] {
  const { references, targets } = instances;
  const base = basesOf(references.sales_Customer, references.sales_Product)[entity];
  const id = targets[entity];
  const hints = hintsFor(document, instances, entity);
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
  ...['calculateTotal', 'quote', 'byDate', 'attachmentUrl', 'ping'].map(
    (method) => `services/sales_OrderService/${method}`,
  ),
  ...['sum', 'statistics'].map((method) => `services/sales_ReportingService/${method}`),
];

/** The operations that are sampled. */
export function operationsOf(document: OpenApi, instances: SampledInstances): readonly SampledOperation[] {
  const calls = CALLS.flatMap((call) => {
    const path = `/rest/${call}`;
    const entity = call.includes('sales_Customer') ? 'sales_Customer' : 'sales_Order';
    const hints = hintsFor(document, instances, entity);
    const own: Hints = { ...hints, byName: { ...hints.byName, orderId: fc.constant(demo.order(1)) } };
    return ['get', 'post']
      .filter((method) => document.paths[path]?.[method])
      .map((method) => ({ path, method, hints: own }));
  });
  const none: Hints = { byName: left, bySchema: {} };
  return [
    ...ENTITIES.flatMap((entity) => entityOperations(document, instances, entity)),
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
