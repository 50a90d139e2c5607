import { fc } from '@lintel/testkit/properties';
import { demo } from '../api.ts';
import { jsonTexts, oddNames, textsFor } from './random-json.ts';
import { counts, encoded, flags, headers, ids, type RandomRequest, requestOf, users } from './request-parts.ts';

/** Predefined queries and methods of the example that only read, with their parameters. */
const CALLS: readonly (readonly [path: string, parameters: readonly string[]])[] = [
  ['/rest/queries/sales_Order/ordersByStatus', ['status']],
  ['/rest/queries/sales_Order/ordersByCustomers', ['customerIds', 'from', 'to']],
  ['/rest/queries/sales_Customer/topCustomers', ['minTotal']],
  ['/rest/queries/sales_Customer/customersByProductTag', ['tag']],
  ['/rest/queries/sales_Order/myOrders', []],
  ['/rest/queries/sales_Warehouse/all', []],
  ['/rest/services/sales_OrderService/calculateTotal', ['orderId']],
  ['/rest/services/sales_OrderService/byDate', ['from', 'to']],
  ['/rest/services/sales_OrderService/attachmentUrl', ['number', 'email']],
  ['/rest/services/sales_OrderService/quote', ['product', 'quantity']],
  ['/rest/services/sales_OrderService/ping', []],
  ['/rest/services/sales_ReportingService/sum', ['a', 'b', 'c']],
  ['/rest/services/sales_ReportingService/statistics', ['params']],
];

const good = fc.constantFrom(
  ...[
    '"NEW"',
    '"2026-01-01"',
    '"2026-12-31"',
    '1',
    '"1.50"',
    '"fragile"',
    `"${demo.order(1)}"`,
    `["${demo.customer(1)}"]`,
  ],
  ...[`{"id":"${demo.product(1)}"}`, '{}'],
);
const values = fc.oneof({ arbitrary: good, weight: 3 }, { arbitrary: jsonTexts, weight: 2 });
/** JSON without its quotes, as a URL has it. */
const bare = (text: string): string => text.replace(/^"(.*)"$/s, '$1');

const paging = fc.oneof(
  counts.map((text) => `limit=${encodeURIComponent(text)}`),
  counts.map((text) => `offset=${encodeURIComponent(text)}`),
  flags.map((text) => `returnCount=${text}`),
  encoded(textsFor('sales_Order').fetchPlans).map((text) => `fetchPlan=${text}`),
  fc.constantFrom('__proto__=1', 'status[]=NEW', '%', 'from=%ZZ'),
);

const callOf = ([path, parameters]: (typeof CALLS)[number]): fc.Arbitrary<RandomRequest> => {
  const tail = path.includes('/queries/')
    ? fc.constantFrom('', '', '/count', '/', '/x')
    : fc.constantFrom('', '', '/', '/x');
  const sent = fc.array(values, { minLength: parameters.length, maxLength: parameters.length });
  const names = fc.tuple(
    ...parameters.map((name) => fc.constantFrom(name, name, name, name, name, '__proto__', `${name}x`)),
  );
  const byUrl = fc.tuple(names, sent, fc.array(paging, { maxLength: 2 })).map(([given, texts, more]) => {
    const own = given.map((name, index) => `${name}=${encodeURIComponent(bare(texts[index] ?? '').toWellFormed())}`);
    return `?${[...own, ...more].join('&')}`;
  });
  const body = fc.oneof(
    {
      arbitrary: fc
        .tuple(names, sent)
        .map(([given, texts]) => `{${given.map((name, index) => `"${name}":${texts[index] ?? 'null'}`).join(',')}}`),
      weight: 5,
    },
    { arbitrary: jsonTexts, weight: 1 },
    { arbitrary: fc.constantFrom('', '{', '['.repeat(5_000)), weight: 1 },
  );
  const start = fc.constant(path);
  return fc.oneof(
    fc
      .tuple(start, tail, fc.constantFrom('GET', 'GET', 'HEAD'), byUrl, fc.constant(undefined), headers, users)
      .map(requestOf),
    fc.tuple(start, tail, fc.constant('POST'), fc.constant(''), body, headers, users).map(requestOf),
  );
};

/** Routes that describe the application. */
const described = fc.oneof(
  fc.constantFrom(
    '/rest/metadata/entities',
    '/rest/metadata/enums',
    '/rest/metadata/datatypes',
    '/rest/messages/entities',
  ),
  fc.constantFrom('/rest/messages/enums', '/rest/permissions', '/rest/userInfo', '/rest/capabilities', '/rest/version'),
  fc.constantFrom('/rest/services', '/rest/queries', '/rest/reports/report', '/rest/reports/group', '/rest/files'),
  fc.constantFrom(
    '/rest/docs/openapi.json',
    '/rest/sales/whoami',
    '/rest/metadata',
    '/rest',
    '/rest/metadata/entities/sales_Order',
  ),
);
const segments = fc
  .array(fc.oneof(fc.constantFrom('sales_Order', 'fetchPlans', 'views', '_base', 'sales.OrderStatus'), oddNames, ids), {
    maxLength: 2,
  })
  .chain((names) => fc.tuple(...names.map((name) => encoded(fc.constant(name)))))
  .map((names) => names.map((name) => `/${name}`).join(''));
const search = fc.oneof(
  fc.constant(''),
  fc.array(paging, { maxLength: 2 }).map((pairs) => `?${pairs.join('&')}`),
  encoded(ids).map((id) => `?fileRef=${id}`),
);
const descriptions = fc
  .tuple(
    described,
    segments,
    fc.constantFrom('GET', 'GET', 'HEAD', 'PATCH', 'OPTIONS'),
    search,
    fc.constant(undefined),
    headers,
    users,
  )
  .map(requestOf);

/** Requests on the reading routes beside those of entities. */
export const otherRequests = (): fc.Arbitrary<RandomRequest> =>
  fc.oneof(...CALLS.map((call) => ({ arbitrary: callOf(call), weight: 1 })), {
    arbitrary: descriptions,
    weight: CALLS.length,
  });
