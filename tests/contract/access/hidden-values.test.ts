import { readFile } from 'node:fs/promises';
import { as, createOrder, demo, query, send, tokenRequest, unique, withinASecond } from '../api.ts';
import { createTexts, type InletTexts, RIGHTS_OF_AUTHORS, type SentRequest } from './query-texts.ts';

/** What a caller may see; all other attributes of these entities are hidden. */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  sales_Customer: ['name', 'address', 'orders', 'category', 'active'],
  sales_Address: ['country', 'city'],
  sales_CustomerCategory: ['name'],
  sales_Order: ['number', 'date', 'customer', 'lines', 'delivery'],
  sales_OrderLine: ['quantity', 'product', 'discounts', 'order'],
  sales_LineDiscount: ['reason'],
  sales_Delivery: ['carrier'],
  sales_Product: ['sku'],
};

/** Attributes, shown or not, that requests name in plans, filters and sorts. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  sales_Customer: [
    ...['name', 'creditLimit', 'email', 'phone', 'grade', 'active', 'birthDate', 'version', 'lastModifiedBy', 'tags'],
    ...['address.country', 'address.city', 'address.street', 'category', 'category.code', 'category.name'],
    ...['orders', 'orders.number', 'orders.amount', 'orders.notes', 'orders.lines.price', 'orders.lines.quantity'],
  ],
  sales_Order: [
    ...[
      'number',
      'amount',
      'discount',
      'notes',
      'status',
      'version',
      'lineCount',
      'delivery.window',
      'delivery.carrier',
    ],
    ...['customer', 'customer.name', 'customer.creditLimit', 'customer.category', 'customer.category.code'],
    ...['lines', 'lines.price', 'lines.quantity', 'lines.product', 'lines.product.name', 'lines.discounts.percent'],
  ],
};
const OPERATORS = ['=', '<>', '>', 'contains', 'isNull', 'in'] as const;
const VALUES: Readonly<Record<string, unknown>> = { isNull: true, in: ['1.00', '2.00'] };

const policy = (type: string, resource: string, action: string) => ({ type, resource, action });

/** The reason of the changes of this test: other tests change instances at the same time. */
const REASON = unique('two worlds');
const headers = { 'x-change-reason': REASON };

async function make(entity: string, body: object): Promise<string> {
  const response = await as('admin', 'POST', `/entities/${entity}`, { body, headers });
  if (response.status !== 201) throw new Error(response.text);
  return String(response.json().id);
}

async function change(path: string, body: object): Promise<void> {
  const response = await as('admin', 'PUT', `/entities/${path}`, { body, headers });
  if (response.status !== 200) throw new Error(response.text);
}

interface Caller {
  readonly id: string;
  readonly username: string;
  readonly headers: { readonly authorization: string };
}

/** Writes that are rolled back say what they would change. */
const CHANGED = [
  policy('entity', 'sales_Customer', 'update'),
  policy('entity', 'sales_Customer', 'delete'),
  policy('entity', 'sales_CustomerCategory', 'update'),
  policy('entityAttribute', 'sales_Customer.name', 'modify'),
  policy('entityAttribute', 'sales_Customer.category', 'modify'),
];

/** A user who sees what is shown of the customers of one country; an author of texts sees all countries. */
async function createCaller(author: readonly object[] = []): Promise<Caller> {
  const [username, code] = [unique('narrow'), unique('narrow')];
  const resourcePolicies = Object.entries(SHOWN).flatMap(([entity, attributes]) => [
    policy('entity', entity, 'read'),
    ...attributes.map((attribute) => policy('entityAttribute', `${entity}.${attribute}`, 'view')),
  ]);
  const childRoles = ['rest-minimal', 'report-run-api'];
  const history = policy('specific', 'history.read.sales_Customer', 'access');
  const bin = ['read', 'restore', 'purge'].map((action) => policy('specific', `bin.${action}`, 'access'));
  const policies = [...resourcePolicies, ...CHANGED, history, ...bin, ...author];
  await make('sec_ResourceRole', { name: 'Narrow', code, scopes: ['API'], childRoles, resourcePolicies: policies });
  const user = { username, password: `secret-of-${username}`, active: true, country: 'DE', email: 'a@example.org' };
  const id = await make('sec_User', user);
  await make('sec_RoleAssignment', { username, roleCode: code, roleType: 'resource' });
  if (author.length === 0)
    await make('sec_RoleAssignment', { username, roleCode: 'own-region', roleType: 'row-level' });
  const form = { grant_type: 'password', username, password: `secret-of-${username}` };
  const { access_token } = (await tokenRequest('/oauth/token', form)).json();
  return { id, username, headers: { authorization: `Bearer ${access_token}` } };
}

interface Ids {
  readonly category: string;
  readonly categoryCode: string;
  readonly customers: readonly [shown: string, hidden: string];
  /** Soft-deleted customers. */
  readonly deleted: readonly [shown: string, hidden: string];
  readonly orders: readonly [shown: string, hidden: string];
  /** The changes that created the customers. */
  readonly changes: readonly string[];
}

async function createData(): Promise<Ids> {
  const categoryCode = unique('c');
  const category = await make('sales_CustomerCategory', { code: categoryCode, name: 'Category' });
  const customer = (country: string) =>
    make('sales_Customer', {
      ...{ name: unique(country), creditLimit: '1.00', email: 'a@example.org', phone: '1', grade: 'BRONZE' },
      ...{ birthDate: '1990-01-01', address: { country, city: 'C', street: 'S' }, category: { id: category } },
    });
  const order = (id: string) =>
    createOrder({
      ...{ number: unique('N'), customer: { id }, amount: '1.00', discount: '0.1', notes: 'n' },
      lines: [
        { product: { id: demo.product(1) }, quantity: 1, price: '1.00', discounts: [{ reason: 'r', percent: 1 }] },
      ],
      delivery: { carrier: 'X', window: 'w' },
    });
  const customers = [await customer('DE'), await customer('FR')] as const;
  const deleted = [await customer('DE'), await customer('FR')] as const;
  for (const id of deleted) await as('admin', 'DELETE', `/entities/sales_Customer/${id}`);
  const changes = customers.map(async (id) => {
    const response = await as('admin', 'GET', `/history/sales_Customer/${id}`);
    return String(response.json()[0].change);
  });
  const orders = [await order(customers[0]), await order(customers[1])] as const;
  return { category, categoryCode, customers, deleted, orders, changes: await Promise.all(changes) };
}

/** Requests about the instances of the test alone: other tests change other ones. */
function requestsAbout({ categoryCode, customers, deleted, orders, changes }: Ids): readonly SentRequest[] {
  const about = (entity: string, ids: readonly string[]): SentRequest[] => {
    const own = { property: 'id', operator: 'in', value: ids };
    const search = (members: object): SentRequest => ({
      ...{ method: 'POST', path: `/entities/${entity}/search` },
      body: { filter: { conditions: [own] }, sort: 'id', returnCount: true, ...members },
    });
    const attributes = NAMED[entity] ?? [];
    const plans = ['_base', '_local', '_instance_name'].map((fetchPlan) => ({ fetchPlan }));
    const inline = attributes.map((path) => ({ fetchPlan: { entity, properties: [planOf(path.split('.'))] } }));
    const filters = attributes.flatMap((property) =>
      OPERATORS.map((operator) => [own, { property, operator, value: VALUES[operator] ?? '1.00' }]),
    );
    const members = attributes.flatMap((path) => {
      const [some = '', ...rest] = path.split('.');
      return [
        { property: path, operator: '<>', valueOf: path },
        { some: path },
        { some, conditions: [{ property: rest.join('.'), operator: 'notEmpty' }] },
      ];
    });
    const aggregates = attributes.flatMap((path) =>
      [
        { groupBy: [path], aggregates: { n: { count: '*' } }, sort: path, limit: 1 },
        { groupBy: [{ attribute: path, by: 'year', as: 'year', fill: true }], aggregates: { n: { count: '*' } } },
        ...['sum', 'max', 'countDistinct'].map((name) => ({ aggregates: { n: { [name]: path } } })),
      ].map((members): SentRequest => {
        const body = { filter: { conditions: [own] }, ...members };
        return { method: 'POST', path: `/aggregates/${entity}`, body };
      }),
    );
    // Names and numbers are shown, the notes of orders are not.
    const searched = ['n', 'm', 'DE', 'FR'].map((q) => ({ q, sort: '-_rank,id', limit: 10, highlights: true }));
    return [
      ...aggregates,
      ...searched.map(
        ({ q }): SentRequest => ({
          method: 'GET',
          path: `/search${query({ q, entities: entity, limit: 50, highlights: 'true' })}`,
        }),
      ),
      ...searched.flatMap((members): SentRequest[] => [
        search(members),
        {
          method: 'GET',
          path: `/entities/${entity}/search/count${query({ q: members.q, filter: { conditions: [own] } })}`,
        },
      ]),
      ...members.map((condition) => search({ filter: { conditions: [own, condition] } })),
      ...[...plans, ...inline].flatMap((plan) => [
        search(plan),
        ...ids.map((id): SentRequest => ({ method: 'GET', path: `/entities/${entity}/${id}${query(plan)}` })),
      ]),
      ...attributes.flatMap((sort) => [search({ sort, limit: 10 }), search({ sort: `-${sort}`, limit: 1 })]),
      ...filters.flatMap((conditions): SentRequest[] => [
        search({ filter: { conditions } }),
        { method: 'POST', path: `/entities/${entity}/search/count`, body: { filter: { conditions } } },
      ]),
    ];
  };
  return [
    ...about('sales_Customer', customers),
    ...about('sales_Order', orders),
    ...(NAMED['sales_Order'] ?? []).flatMap((path) =>
      [
        { filter: { conditions: [{ property: path, operator: 'notEmpty' }] }, count: true },
        { sort: path, limit: 1 },
        { sort: `-${path}`, offset: 0 },
      ].map((members): SentRequest => {
        const fetchPlan = { entity: 'sales_Customer', properties: [{ name: 'orders', ...members }] };
        const filter = { conditions: [{ property: 'id', operator: 'in', value: customers }] };
        return { method: 'POST', path: '/entities/sales_Customer/search', body: { filter, fetchPlan, sort: 'id' } };
      }),
    ),
    ...['', '&limit=1', '&entity=sales_Customer'].map((more): SentRequest => {
      return { method: 'GET', path: `/history?reason=${encodeURIComponent(REASON)}${more}` };
    }),
    ...changes.map((change): SentRequest => {
      return { method: 'POST', path: `/history/changes/${change}/undo?dryRun=true` };
    }),
    ...customers.flatMap((customer) => {
      const path = `/history/sales_Customer/${customer}`;
      const whole = query({ fetchPlan: '_base', time: '2030-01-01T00:00:00Z' });
      const paths = ['', '?limit=1', '?attribute=creditLimit', '/diff?from=2020-01-01T00:00:00Z', `/at${whole}`];
      return paths.map((more): SentRequest => ({ method: 'GET', path: `${path}${more}` }));
    }),
    ...customers.flatMap((customer): SentRequest[] => {
      const path = `/entities/sales_Customer/${customer}?dryRun=true`;
      return [
        { method: 'PUT', path: `${path}&responseFetchPlan=_base`, body: { name: 'Rehearsed' } },
        { method: 'PUT', path: '/entities/sales_Customer?dryRun=true', body: [{ id: customer, name: 'Rehearsed' }] },
        { method: 'DELETE', path },
        ...[{ name: 'Rehearsed' }, { category: { code: categoryCode } }].map((change): SentRequest => {
          const body = [{ id: customer, ...change }];
          return { method: 'PUT', path: '/entities/sales_Customer?key=id&dryRun=true&responseFetchPlan=_base', body };
        }),
      ];
    }),
    ...(NAMED['sales_Customer'] ?? []).flatMap((property): SentRequest[] => {
      const own = { property: 'id', operator: 'in', value: customers };
      const filter = { conditions: [own, { property, operator: '=', value: '1.00' }] };
      const path = `/entities/sales_Customer${query({ filter })}&dryRun=true`;
      return ['max-affected=1', 'max-affected=9'].flatMap((prefer): SentRequest[] => [
        { method: 'DELETE', path, headers: { prefer } },
        {
          ...{ method: 'PATCH', path, body: { name: 'Rehearsed' } },
          headers: { prefer, 'content-type': 'application/merge-patch+json' },
        },
      ]);
    }),
    ...['code', 'name', 'id'].map((key): SentRequest => {
      const body = { code: categoryCode, name: 'Category' };
      return { method: 'PUT', path: `/entities/sales_CustomerCategory?key=${key}&dryRun=true`, body };
    }),
    ...['name', 'creditLimit'].map((property): SentRequest => {
      const conditions = [
        { property: 'id', operator: 'in', value: deleted },
        { property, operator: 'notEmpty' },
      ];
      const body = { filter: { conditions }, sort: 'id', returnCount: true, deleted: 'only' };
      return { method: 'POST', path: '/entities/sales_Customer/search', body };
    }),
    ...deleted.flatMap((customer): SentRequest[] => {
      const path = `/entities/sales_Customer/${customer}`;
      return [
        { method: 'GET', path: `${path}?deleted=only&fetchPlan=_base` },
        { method: 'POST', path: `${path}/restore?dryRun=true&responseFetchPlan=_base` },
        { method: 'DELETE', path: `${path}?deleted=only&dryRun=true` },
      ];
    }),
    ...orders.flatMap((order): SentRequest[] => [
      { method: 'POST', path: '/services/sales_OrderService/calculateTotal', body: { orderId: order } },
      ...['DEFAULT', 'html'].map((template): SentRequest => {
        const body = { template, parameters: [{ name: 'order', value: order }] };
        return { method: 'POST', path: '/reports/run/code/order-invoice', body };
      }),
    ]),
    {
      ...{ method: 'POST', path: '/queries/sales_Order/ordersByCustomers' },
      body: { customerIds: customers, from: '2020-01-01', to: '2030-01-01' },
    },
  ];
}

const planOf = ([name = '', ...rest]: readonly string[]): unknown =>
  rest.length === 0 ? name : { name, fetchPlan: { properties: [planOf(rest)] } };

/** Headers that are new in each response. */
const CHANGING = /^(?:date|keep-alive|link|ratelimit.*|server-timing|traceparent|x-trace-id)$/;

/** Without the ids of what the requests create. */
const stableText = (text: string): string => text.replace(/"id":"[^"]*"/g, '');

/** Status, headers and body of each response. */
async function responsesTo(requests: readonly SentRequest[], headers: { readonly authorization: string }) {
  const responses = new Map<string, string>();
  const ask = async (request: SentRequest): Promise<void> => {
    const { method, path, body } = request;
    const all = { ...request.headers, ...headers };
    const response = await send(method, `/rest${path}`, { headers: all, ...(body && { body }) });
    const stable = [...response.headers].filter(([name]) => !CHANGING.test(name));
    responses.set(JSON.stringify(request), JSON.stringify([response.status, stable, stableText(response.text)]));
  };
  for (let at = 0; at < requests.length; at += 8) await Promise.all(requests.slice(at, at + 8).map(ask));
  return responses;
}

/** Files that parse texts of the query language, and that the texts of an author do not reach by a request of their own. */
const OTHER_INLETS: readonly string[] = [
  // Searches, single instances and predefined queries are among the requests of this test; a write reads back as they do.
  ...['read-entities', 'prepare/order-of-checks', 'prepare/read-back'].map((name) => `libs/reading/src/${name}.ts`),
  ...['bulk/affected-rows', 'json-patch/body-of-json-patch', 'read-back/read-saved', 'read-back/read-many'].map(
    (name) => `libs/entities/src/write/${name}.ts`,
  ),
  'libs/history/src/read-states.ts',
  'services/data/src/queries/read-query.ts',
  'services/data/src/aggregates/read-aggregates.ts',
  // They read texts that were checked before, or for the inlets of this test.
  ...['roles/assert-policy-readable', 'roles/stored-roles', 'roles/checked-condition'].map(
    (name) => `libs/security/src/${name}.ts`,
  ),
  'libs/reading/src/access/row-rules.ts',
  ...['datasets/read-dataset', 'datasets/dataset-values'].map((name) => `services/data/src/${name}.ts`),
  // Of the owner: services/data/test/webhooks.
  ...['deliveries/build-message', 'webhooks.feature'].map((name) => `services/data/src/webhooks/${name}.ts`),
  // They read no rows.
  ...['libs/application/src/queries/bind-queries.ts', 'services/reports/src/definitions/check-data-sets.ts'],
  'services/reports/src/parameters/lookup-filter.ts',
  'libs/entities/src/data-manager/create-data-manager.ts',
  'libs/reading/src/files/refers-to-file.ts',
];

/** The table of docs/security.md, which `npm run lint` compares with the code. */
async function listedInlets(): Promise<readonly string[]> {
  const page = await readFile(new URL('../../../docs/security.md', import.meta.url), 'utf8');
  const [, section = ''] = page.split('## Texts of the query language\n');
  const [table = ''] = section.split('\n## ', 1);
  const rows = table.split('\n').filter((line) => line.startsWith('|'));
  return [...rows.join('\n').matchAll(/`([^`\s]+\.ts)`/g)].map(([, file = '']) => file);
}

// Asserts contract/row-policies.md#authors.
test('no response depends on a hidden attribute or a hidden row', async () => {
  const [{ headers }, author, ids] = await Promise.all([createCaller(), createCaller(RIGHTS_OF_AUTHORS), createData()]);
  const requests = requestsAbout(ids);
  const [shown, hidden] = ids.customers;
  const visible = () => send('GET', `/rest/entities/sales_Customer/${shown}`, { headers });
  expect((await withinASecond(visible, ({ status }) => status === 200)).status).toBe(200);
  const texts = await createTexts(author.username, shown);
  const textsOf = (part: keyof InletTexts) => Object.values(texts).flatMap((inlet) => inlet[part]);
  const allResponses = async () => [
    ...(await responsesTo(requests, headers)),
    ...(await responsesTo([...textsOf('hidden'), ...textsOf('shown')], author.headers)),
  ];
  const report = () => send('POST', `/rest${textsOf('shown').at(-1)?.path}`, { headers: author.headers, body: {} });
  expect((await withinASecond(report, ({ status }) => status === 200)).status).toBe(200);
  const listed = await listedInlets();
  expect([...Object.keys(texts), ...OTHER_INLETS].filter((file) => !listed.includes(file))).toEqual([]);
  expect(listed.filter((file) => !(file in texts) && !OTHER_INLETS.includes(file))).toEqual([]);
  const before = new Map(await allResponses());
  const statusOf = (request: SentRequest) => JSON.parse(before.get(JSON.stringify(request)) ?? '[]')[0];
  for (const [inlet, { hidden, shown }] of Object.entries(texts)) {
    expect([inlet, hidden.filter((request) => statusOf(request) !== 403)]).toEqual([inlet, []]);
    expect([inlet, shown.filter((request) => ![200, 201].includes(statusOf(request)))]).toEqual([inlet, []]);
  }
  expect([...before.values()].filter((response) => response.startsWith('[200,')).length).toBeGreaterThan(150);
  expect([...before.values()].filter((response) => response.includes('tx=rollback')).length).toBeGreaterThan(3);

  const changed = { creditLimit: '2.00', email: 'b@example.org', phone: '2', grade: 'GOLD', birthDate: '1991-01-01' };
  await change(`sales_Customer/${shown}`, { ...changed, address: { country: 'DE', city: 'C', street: 'T' } });
  await change(`sales_Customer/${hidden}`, { ...changed, name: unique('A'), active: false });
  for (const id of ids.deleted) {
    const path = `/entities/sales_Customer/${id}`;
    expect((await as('admin', 'POST', `${path}/restore`)).status).toBe(200);
    await change(`sales_Customer/${id}`, { ...changed, ...(id === ids.deleted[1] && { name: unique('B') }) });
    await as('admin', 'DELETE', path);
  }
  await change(`sales_CustomerCategory/${ids.category}`, { code: unique('a') });
  const lines = [{ product: { id: demo.product(2) }, quantity: 9, price: '2.00' }];
  await change(`sales_Order/${ids.orders[1]}`, { number: unique('M'), amount: '2.00', notes: 'm', lines });
  const plan = { fetchPlan: { entity: 'sales_Order', properties: ['delivery', planOf(['lines', 'discounts', 'id'])] } };
  const order = (await as('admin', 'GET', `/entities/sales_Order/${ids.orders[0]}${query(plan)}`)).json();
  const [line] = order.lines;
  await change(`sales_Order/${order.id}`, {
    ...{
      amount: '2.00',
      discount: '0.2',
      notes: 'm',
      status: 'CONFIRMED',
      delivery: { id: order.delivery.id, window: 'v' },
    },
    lines: [{ id: line.id, price: '2.00', discounts: [{ id: line.discounts[0].id, percent: 2 }] }],
  });

  await change(`sec_User/${author.id}`, { email: 'b@example.org' });

  const after = await allResponses();
  // Creating the same instance again is another request.
  const repeated = after.filter(([request]) => !before.get(request)?.startsWith('[201,'));
  expect(repeated.filter(([request, response]) => before.get(request) !== response)).toEqual([]);
});
