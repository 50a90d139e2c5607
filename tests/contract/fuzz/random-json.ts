import { fc } from '@lintel/testkit/properties';

/** Names that a program could mistake for its own, beside names of nothing. */
export const oddNames = fc.constantFrom(
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype', 'valueOf', '__defineGetter__'],
  ...[
    '',
    ' ',
    '.',
    '..',
    'a.b',
    '*',
    '%',
    '$inputs',
    '_entityName',
    'id.id',
    'null',
    'undefined',
    'ünï',
    '😀',
    '\u0000',
  ],
  ...["'; DROP TABLE x; --", '"quoted"', '{E}', ':current_user_username', '+loyaltyPoints', '-x'],
);

/** Paths that the entities of the example have. */
const GOOD_PATHS: Readonly<Record<string, readonly string[]>> = {
  sales_Order: [
    ...[
      'number',
      'date',
      'status',
      'customer',
      'manager',
      'lines',
      'delivery',
      'amount',
      'discount',
      'notes',
      'placedAt',
    ],
    ...[
      'confirmedAt',
      'deliverFrom',
      'externalId',
      'attachment',
      'lineCount',
      'customer.name',
      'customer.address.city',
    ],
    ...['lines.product.name', 'lines.discounts.percent', 'delivery.address', 'manager.username', 'version', 'id'],
  ],
  sales_Customer: [
    ...[
      'name',
      'email',
      'grade',
      'active',
      'birthDate',
      'creditLimit',
      'address',
      'address.country',
      'category',
      'tags',
    ],
    ...['orders', 'orders.amount', 'orders.lines.product', 'avatar', 'category.code', 'createdDate', 'deletedDate'],
  ],
  sales_Product: [
    'name',
    'sku',
    'price',
    'weight',
    'stock',
    'barcode',
    'releasedOn',
    'tags',
    'tags.name',
    'internalNote',
  ],
  sales_OrderLine: ['order', 'order.number', 'product', 'product.tags', 'quantity', 'price', 'position', 'discounts'],
  sales_Warehouse: ['code', 'name'],
  sales_StockMovement: ['id', 'warehouse', 'warehouse.name', 'product', 'product.price', 'quantity', 'movedAt'],
  sales_ExchangeRate: ['id', 'id.currency', 'id.validOn', 'rate'],
  sales_Party: ['name', 'version', 'createdBy'],
};
/** Entities whose paths are known here. */
export const entityNames = Object.keys(GOOD_PATHS);

const parts = fc.oneof(
  fc.constantFrom('number', 'name', 'status', 'customer', 'lines', 'product', 'tags', 'address', 'orders', 'id'),
  fc.constantFrom('internalNote', 'password', 'lineCount', 'creditLimit', 'username'),
  oddNames,
);
const wildPaths = fc.array(parts, { minLength: 1, maxLength: 4 }).map((names) => names.join('.'));

/** Paths of an entity: mostly good ones, also good parts in a bad order, and nonsense. */
const pathsOf = (entity: string): fc.Arbitrary<string> => {
  const good = GOOD_PATHS[entity];
  if (good === undefined) return wildPaths;
  return fc.oneof({ arbitrary: fc.constantFrom(...good), weight: 12 }, { arbitrary: wildPaths, weight: 1 });
};

/** Numbers that do not survive a binary float, as JSON has them, and some that JSON does not have. */
const rawNumbers = fc.constantFrom(
  ...['1e999999', '-1e999999', '1e-999999', '9223372036854775808', '-9223372036854775809', '0.1e1', '-0', '1E400'],
  ...[`${'9'.repeat(400)}`, `0.${'1'.repeat(400)}`, '01', '+1', '1.', '.5', '0x10', 'NaN', 'Infinity'],
);

const texts = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
  oddNames,
  fc.constantFrom('2026-02-30', '2026-02-03', '24:00', 'NEW', 'true', '\\', '%_', '\ud800', '\uffff', 'x'.repeat(5000)),
  fc.uuid(),
);

/** The text of a JSON value. */
const scalarTexts = fc.oneof(
  texts.map((text) => JSON.stringify(text)),
  fc.double().map((number) => JSON.stringify(number)),
  fc.maxSafeInteger().map(String),
  rawNumbers,
  fc.constantFrom('true', 'false', 'null', '{}', '[]'),
);
const valueTexts = fc.oneof(
  { arbitrary: scalarTexts, weight: 4 },
  { arbitrary: fc.array(scalarTexts, { maxLength: 4 }).map((items) => `[${items.join(',')}]`), weight: 2 },
  { arbitrary: scalarTexts.map((id) => `{"id":${id}}`), weight: 1 },
  { arbitrary: fc.jsonValue().map((value) => JSON.stringify(value)), weight: 1 },
);

const operators = fc.oneof(
  {
    arbitrary: fc.constantFrom(
      ...['=', '<>', '>', '>=', '<', '<=', 'in', 'notIn', 'contains', 'doesNotContain', 'startsWith', 'endsWith'],
      ...['isNull', 'notEmpty'],
    ),
    weight: 9,
  },
  { arbitrary: oddNames, weight: 1 },
);

const conditionsOf = (paths: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(paths, operators, fc.option(valueTexts), fc.integer({ min: 0, max: 40 }))
    .map(([path, operator, value, odd]) => {
      const members = [
        ...(odd === 1 ? [] : [`"property":${JSON.stringify(path)}`]),
        ...(odd === 2 ? [] : [`"operator":${JSON.stringify(operator)}`]),
        ...(value === null ? [] : [`"value":${value}`]),
        ...(odd === 3 ? ['"__proto__":{"group":"OR"}'] : []),
        ...(odd === 4 ? ['"property":7'] : []),
      ];
      return `{${members.join(',')}}`;
    });

/** Conditions that are right, whatever the others are. */
const goodConditionsOf = (paths: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof(
    fc
      .tuple(paths, fc.constantFrom('isNull', 'notEmpty'))
      .map(([path, operator]) => `{"property":${JSON.stringify(path)},"operator":"${operator}"}`),
    fc
      .tuple(paths, fc.constantFrom('in', 'notIn'))
      .map(([path, operator]) => `{"property":${JSON.stringify(path)},"operator":"${operator}","value":[]}`),
  );

const nested = (depth: number, inner: string): string =>
  `${'{"group":"OR","conditions":['.repeat(depth)}${inner}${']}'.repeat(depth)}`;

const nodesOf = (paths: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.letrec<{ node: string }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      { arbitrary: goodConditionsOf(paths), weight: 8 },
      { arbitrary: conditionsOf(paths), weight: 4 },
      {
        arbitrary: fc
          .tuple(fc.constantFrom('"AND"', '"or"', '"OR"', '"XOR"', 'null'), fc.array(tie('node'), { maxLength: 4 }))
          .map(([group, items]) => `{"group":${group},"conditions":[${items.join(',')}]}`),
        weight: 2,
      },
      {
        arbitrary: fc.tuple(fc.constantFrom(10, 150, 250, 5_000), conditionsOf(paths)).map(([d, c]) => nested(d, c)),
        weight: 1,
      },
      { arbitrary: valueTexts, weight: 1 },
    ),
  })).node;

/** Filters as JSON texts. */
const filtersOf = (paths: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof(
    {
      arbitrary: fc.array(nodesOf(paths), { maxLength: 3 }).map((items) => `{"conditions":[${items.join(',')}]}`),
      weight: 12,
    },
    { arbitrary: valueTexts, weight: 1 },
    { arbitrary: fc.constantFrom('[', '{"a":'.repeat(3_000), `${'['.repeat(3_000)}${']'.repeat(3_000)}`), weight: 1 },
  );

const inlinePlansOf = (paths: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.letrec<{ plan: string; item: string }>((tie) => ({
    item: fc.oneof(
      { maxDepth: 4 },
      { arbitrary: paths.map((path) => JSON.stringify(path)), weight: 12 },
      {
        arbitrary: fc
          .tuple(paths, tie('plan'))
          .map(([path, inner]) => `{"name":${JSON.stringify(path.split('.')[0])},"fetchPlan":${inner}}`),
        weight: 1,
      },
      { arbitrary: paths.map((path) => `{"name":${JSON.stringify(path.split('.')[0])}}`), weight: 1 },
    ),
    plan: fc.oneof(
      { maxDepth: 4 },
      {
        arbitrary: fc
          .tuple(fc.option(oddNames), fc.array(tie('item'), { maxLength: 5 }))
          .map(
            ([name, items]) =>
              `{${name === null ? '' : `"name":${JSON.stringify(name)},`}"properties":[${items.join(',')}]}`,
          ),
        weight: 8,
      },
      { arbitrary: fc.constantFrom('"_local"', '{}', 'null', '[]', '7'), weight: 1 },
    ),
  })).plan;

/** Fetch plans as they are sent in a URL; in a body names are quoted. */
const fetchPlansOf = (entity: string, paths: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof(
    { arbitrary: fc.constantFrom('_local', '_base', '_instance_name', 'order-list', 'order-edit'), weight: 4 },
    {
      arbitrary: fc
        .tuple(
          fc.constantFrom(...Array.from({ length: 12 }, () => entity), '__proto__', 'sec_User'),
          inlinePlansOf(paths),
        )
        .map(([root, inner]) => inner.replace(/^\{/, () => `{"entity":${JSON.stringify(root)},`)),
      weight: 6,
    },
    { arbitrary: oddNames, weight: 1 },
  );

/** One in seven texts is damaged: a part is missing, doubled, or overwritten. */
const damaged = (arbitrary: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(arbitrary, fc.integer({ min: 0, max: 20 }), fc.nat(), fc.nat(6), fc.string({ unit: 'binary', maxLength: 3 }))
    .map(([text, kind, at, length, other]) => {
      const from = text.length === 0 ? 0 : at % text.length;
      const part = text.slice(from, from + length);
      if (kind === 0) return text.slice(0, from) + text.slice(from + length);
      if (kind === 1) return text.slice(0, from) + part + part + text.slice(from + length);
      return kind === 2 ? text.slice(0, from) + other + text.slice(from) : text;
    });

/** Texts for requests about one entity, right and wrong. */
export interface EntityTexts {
  readonly paths: fc.Arbitrary<string>;
  readonly filters: fc.Arbitrary<string>;
  readonly fetchPlans: fc.Arbitrary<string>;
}

export function textsFor(entity: string): EntityTexts {
  const paths = pathsOf(entity);
  return { paths, filters: damaged(filtersOf(paths)), fetchPlans: damaged(fetchPlansOf(entity, paths)) };
}

export const jsonTexts = valueTexts;
