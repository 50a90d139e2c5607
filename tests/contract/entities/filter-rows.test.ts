import { as, createOrder, demo, query } from '../api.ts';

const search = (entity: string, filter: unknown, more: Record<string, unknown> = {}) =>
  as('admin', 'POST', `/entities/${entity}/search`, { body: { filter, ...more } });
const count = async (entity: string, ...conditions: unknown[]): Promise<number> => {
  const response = await as('admin', 'POST', `/entities/${entity}/search/count`, { body: { filter: { conditions } } });
  if (response.status !== 200) throw new Error(response.text);
  return Number(response.text);
};
const is = (property: string, operator: string, value?: unknown) => ({
  property,
  operator,
  ...(value === undefined ? {} : { value }),
});
const invalid = (details: unknown) => ({ error: 'Cannot parse entities filter', details });

describe('the structure of filters (contract/filters.md#structure)', () => {
  test.each<[string, unknown]>([
    ['no conditions member', {}],
    ['an empty array', { conditions: [] }],
    ['an empty group', { conditions: [{ group: 'AND', conditions: [] }] }],
    ['a group without conditions', { conditions: [{ group: 'OR' }] }],
    ['nested empty groups', { conditions: [{ group: 'OR', conditions: [{ group: 'AND', conditions: [] }] }] }],
  ])('%s filters nothing', async (_case, filter) => {
    const all = await count('sales_Warehouse');
    expect((await search('sales_Warehouse', filter)).json()).toHaveLength(all);
    const byUrl = await as('admin', 'GET', `/entities/sales_Warehouse/search${query({ filter })}`);
    expect(byUrl.json()).toHaveLength(all);
  });

  // Asserts contract/filters.md#structure.
  test('an empty group is dropped, it is not true or false', async () => {
    const one = is('code', '=', 'BER');
    for (const kind of ['AND', 'OR'])
      expect(await count('sales_Warehouse', { group: kind, conditions: [one, { group: 'OR', conditions: [] }] })).toBe(
        1,
      );
  });

  // Asserts contract/filters.md#structure.
  test('groups nest to any depth, their names in any case', async () => {
    let node: unknown = is('code', '=', 'BER');
    for (let depth = 0; depth < 50; depth += 1) node = { group: depth % 2 === 0 ? 'or' : 'And', conditions: [node] };
    expect(await count('sales_Warehouse', node)).toBe(1);
  });

  test('the root is an AND', async () => {
    expect(await count('sales_Warehouse', is('code', '=', 'BER'), is('code', '<>', 'BER'))).toBe(0);
  });

  // Asserts contract/filters.md#structure.
  test('a node with a group is a group, with any other members; unknown members are ignored', async () => {
    const node = { group: 'OR', conditions: [is('code', '=', 'BER')], property: 'nothing', operator: '~', comment: 1 };
    expect(await count('sales_Warehouse', node)).toBe(1);
    expect(await count('sales_Warehouse', { ...is('code', '=', 'BER'), comment: 'x' })).toBe(1);
  });

  // Asserts contract/decisions.md#49, contract/decisions.md#8, contract/filters.md#checks,
  // contract/filters.md#structure.
  test.each<[string, unknown]>([
    ['null', null],
    ['an array', []],
    ['a text', 'x'],
    ['a number', 7],
    ['conditions that are no array', { conditions: {} }],
    ['conditions of a group that are no array', { conditions: [{ group: 'OR', conditions: 1 }] }],
    ['a group of null', { conditions: [{ group: null, conditions: [] }] }],
  ])('a filter with %s: 400', async (_case, filter) => {
    const response = await search('sales_Warehouse', filter);
    expect([response.status, response.json()]).toEqual([400, invalid(expect.stringMatching(/./))]);
  });

  // Asserts contract/decisions.md#8, contract/filters.md#structure.
  test.each(['[]', '"x"', '7', 'null', '{', 'conditions'])('a filter in the URL that is %s: 400', async (filter) => {
    const response = await as('admin', 'GET', `/entities/sales_Warehouse/search${query({ filter })}`);
    expect([response.status, response.json()]).toEqual([400, invalid(expect.stringMatching(/./))]);
  });

  // Asserts contract/filters.md#structure.
  test('an element that is no object is named, in nested groups too', async () => {
    for (const element of [null, 7, 'x', []])
      for (const filter of [{ conditions: [element] }, { conditions: [{ group: 'OR', conditions: [element] }] }]) {
        const response = await search('sales_Warehouse', filter);
        expect([response.status, response.json()]).toEqual([
          400,
          {
            error: 'Malformed request JSON data structure',
            details: `JSON array element ${JSON.stringify(element)} is not a valid JSON object literal`,
          },
        ]);
      }
  });
});

describe('the checks of a condition come in this order (contract/filters.md#checks)', () => {
  test.each<[string, unknown, string]>([
    ['1 before 2', {}, "Field 'property' is not defined for filter condition"],
    ['2', { property: 'nothing' }, "Field 'operator' is not defined for filter condition"],
    ['3 before 5', is('nothing', '~', 1), 'Operator is not supported: ~'],
    ['3 is about names in their case', is('code', 'ISNULL'), 'Operator is not supported: ISNULL'],
    ['4 before 5', is('nothing', '='), "Field 'value' is not defined for filter condition"],
    ['5 before 6', is('warehouse.nothing', '>', []), 'Property for sales_StockMovement not found: warehouse.nothing'],
    [
      '6 before 7',
      // Asserts contract/filters.md#checks, contract/filters.md#types.
      is('quantity', 'contains', []),
      'Operator contains is not available for java type java.lang.Integer',
    ],
    ['7', is('quantity', 'notIn', 1), 'JSON array was expected as a value for condition with operator notIn'],
    ['8', is('quantity', '=', 'x'), 'Cannot parse property value: x'],
    ['8 in a list', is('quantity', 'in', [1, 'x']), 'Cannot parse property value: x'],
  ])('check %s', async (_check, condition, details) => {
    const response = await search('sales_StockMovement', { conditions: [condition] });
    expect([response.status, response.json()]).toEqual([400, invalid(details)]);
  });

  // Asserts contract/decisions.md#8, contract/filters.md#checks.
  test.each<[string, unknown]>([
    ['property', { property: null, operator: '=', value: 1 }],
    ['operator', { property: 'quantity', operator: null, value: 1 }],
    ['value', { property: 'quantity', operator: '=', value: null }],
  ])('a null %s: 400', async (name, condition) => {
    const response = await search('sales_StockMovement', { conditions: [condition] });
    expect([response.status, response.json().details]).toEqual([400, expect.stringContaining(`'${name}'`)]);
  });
});

describe('operators and null (contract/filters.md#operators)', () => {
  const scope = is('number', 'startsWith', 'A-000');
  const orders = (...conditions: unknown[]): Promise<number> => count('sales_Order', scope, ...conditions);

  test('rows without a value match neither a comparison nor its negation', async () => {
    const all = await orders();
    for (const [property, operator, negation, value] of [
      ['delivery.carrier', '=', '<>', 'none'],
      ['delivery.carrier', 'in', 'notIn', ['none']],
      ['notes', 'contains', 'doesNotContain', 'e'],
      ['discount', '>', '<=', 0.01],
    ] as const) {
      const empty = await orders(is(property, 'isNull'));
      expect(empty).toBeGreaterThan(0);
      expect((await orders(is(property, operator, value))) + (await orders(is(property, negation, value)))).toBe(
        all - empty,
      );
    }
  });

  // Asserts contract/filters.md#operators.
  test.each([
    ['isNull', undefined, true],
    ['isNull', true, true],
    ['isNull', 'TRUE', true],
    ['isNull', false, false],
    ['isNull', 'false', false],
    ['isNull', 'other', false],
    ['notEmpty', undefined, false],
    ['notEmpty', 'true', false],
    ['notEmpty', false, true],
    ['notEmpty', 'false', true],
  ])('%s with the value %j', async (operator, value, asksForNull) => {
    const all = await orders();
    const empty = await orders(is('delivery', 'isNull'));
    expect(await orders(is('delivery', operator, value))).toBe(asksForNull ? empty : all - empty);
  });

  // Asserts contract/filters.md#operators.
  test('an empty list: in matches nothing, notIn everything', async () => {
    expect([await orders(is('delivery', 'in', [])), await orders(is('delivery', 'notIn', []))]).toEqual([
      0,
      await orders(),
    ]);
  });

  // Asserts contract/filters.md#operators.
  test('equality of texts knows case, the text operators do not', async () => {
    expect([await orders(is('number', '=', 'a-00001')), await orders(is('number', 'endsWith', '-00001'))]).toEqual([
      0, 1,
    ]);
    expect([
      await orders(is('number', 'startsWith', 'a-00001')),
      await orders(is('number', 'contains', 'A-00001')),
    ]).toEqual([1, 1]);
  });

  // Asserts contract/filters.md#operators.
  test.each(['%', '_', '\\', 'A%1', 'A-0000_', '\\%'])(
    '%j is searched for as it is (contract/decisions.md#11)',
    async (value) => {
      for (const operator of ['contains', 'startsWith', 'endsWith'])
        expect(await orders(is('number', operator, value))).toBe(0);
      expect(await orders(is('number', 'doesNotContain', value))).toBe(await orders());
    },
  );
});

describe('values (contract/filters.md#values)', () => {
  test.each<[string, string, unknown, number]>([
    ['a number as text', 'quantity', '-10', 1],
    ['a list of one instead of a value', 'quantity', [-10], 1],
    ['a 64-bit key', 'id', '1', 1],
    ['a local date-time without seconds', 'movedAt', '2026-01-12T14:00', 1],
  ])('%s is read as a value', async (_case, property, value, atLeast) => {
    expect(await count('sales_StockMovement', is(property, '=', value))).toBeGreaterThanOrEqual(atLeast);
  });

  // Asserts contract/decisions.md#8, contract/filters.md#checks, contract/filters.md#values.
  test.each<[string, string, string, unknown]>([
    ['a fraction for an integer', 'sales_StockMovement', 'quantity', 1.5],
    ['a fraction for an integer', 'sales_StockMovement', 'quantity', '100.5'],
    ['a plus sign', 'sales_StockMovement', 'quantity', '+5'],
    ['a negative exponent for an integer', 'sales_StockMovement', 'quantity', '1e-2'],
    ['an integer beyond its range', 'sales_StockMovement', 'quantity', 2147483648],
    ['a key beyond 64 bits', 'sales_StockMovement', 'id', '9223372036854775808'],
    ['a text for a decimal', 'sales_Order', 'amount', 'much'],
    ['a comma in a decimal', 'sales_Order', 'amount', '1,5'],
    ['no uuid', 'sales_Order', 'externalId', '123'],
    ['a day that does not exist', 'sales_Order', 'date', '2026-02-30'],
    ['a date-time for a date', 'sales_Order', 'date', '2026-02-03T00:00:00'],
    ['an instant without its offset', 'sales_Order', 'placedAt', '2026-01-01T00:00:00'],
    ['no time', 'sales_Order', 'deliverFrom', '25:00'],
    ['no boolean', 'sales_Customer', 'active', 'yes'],
    ['a longer list instead of a value', 'sales_Order', 'amount', [1, 2]],
    ['an object for a number', 'sales_Order', 'amount', { id: 1 }],
    ['an object without an id for a reference', 'sales_Order', 'customer', { name: 'x' }],
    ['no key of the reference', 'sales_Order', 'customer', 'x'],
  ])('%s: 400 with the value', async (_case, entity, property, value) => {
    const response = await search(entity, { conditions: [is(property, '=', value)] });
    expect([response.status, response.json()]).toEqual([
      400,
      invalid(expect.stringContaining(typeof value === 'string' ? value : JSON.stringify(value))),
    ]);
  });

  // Asserts contract/filters.md#values.
  test('decimals are compared exactly, not rounded (contract/decisions.md#15)', async () => {
    expect(await count('sales_Product', is('price', '=', 18.32))).toBeGreaterThan(0);
    expect(await count('sales_Product', is('price', '=', '18.320000000001'))).toBe(0);
    expect(await count('sales_Product', is('barcode', '=', '4006381000113'))).toBe(1);
    expect(await count('sales_Product', is('barcode', '>', '9223372036854775806'))).toBe(0);
  });

  // Asserts contract/filters.md#checks, contract/filters.md#values.
  test('uuids in any of their forms, booleans in any case, enums by constant name', async () => {
    const id = demo.order(1);
    for (const form of [id, id.toUpperCase(), id.replaceAll('-', '')])
      expect(await count('sales_Order', is('id', '=', form))).toBe(1);
    const active = await count('sales_Customer', is('active', '=', true));
    expect(active).toBeGreaterThan(0);
    for (const form of ['true', 'TRUE']) expect(await count('sales_Customer', is('active', '=', form))).toBe(active);
    for (const wrong of [20, '20', 'confirmed']) {
      const response = await search('sales_Order', { conditions: [is('status', '=', wrong)] });
      expect([response.status, response.json()]).toEqual([400, invalid(`Cannot parse enum value: ${wrong}`)]);
    }
  });

  // Asserts contract/filters.md#values.
  test('a reference by its id or by any object with it', async () => {
    const id = demo.customer(1);
    const expected = await count('sales_Order', is('customer', '=', id));
    expect(expected).toBeGreaterThan(0);
    const forms = [{ id }, { _entityName: 'sales_Customer', id, name: 'ignored' }];
    for (const form of forms) expect(await count('sales_Order', is('customer', '=', form))).toBe(expected);
    expect(await count('sales_Order', is('customer', 'in', forms))).toBe(expected);
    expect(await count('sales_Order', is('customer.id', '=', id))).toBe(expected);
  });
});

describe('paths (contract/filters.md#paths)', () => {
  test('isNull after a reference also finds the rows without the reference', async () => {
    const without = await count('sales_Order', is('delivery', 'isNull'));
    expect(await count('sales_Order', is('delivery.id', 'isNull'))).toBe(without);
    expect(await count('sales_Order', is('delivery.carrier', 'isNull'))).toBeGreaterThanOrEqual(without);
    expect(await count('sales_Order', is('delivery.window', 'isNull'))).toBeGreaterThanOrEqual(without);
  });

  // Asserts contract/filters.md#paths.
  test('through collections a row is found once when some member fits, or when isNull finds none', async () => {
    const all = await count('sales_Order');
    const some = await count('sales_Order', is('lines', 'notEmpty'));
    expect(await count('sales_Order', is('lines.product.name', 'notEmpty'))).toBeLessThanOrEqual(some);
    expect(await count('sales_Order', is('lines.id', 'isNull'))).toBe(all - some);
    const rows = (
      await search('sales_Order', { conditions: [is('lines.quantity', '>', 0)] }, { fetchPlan: '_instance_name' })
    ).json();
    expect(new Set(rows.map(({ id }: { id: string }) => id)).size).toBe(rows.length);
  });

  // Asserts contract/filters.md#paths.
  test('a negation over a collection asks for a member that differs', async () => {
    const [one, other] = [demo.product(1), demo.product(2)];
    const orderOf = (...products: string[]): Promise<string> =>
      createOrder({ lines: products.map((id) => ({ product: { id }, quantity: 1 })) });
    const [first, both, none] = [await orderOf(one), await orderOf(one, other), await orderOf()];
    const found = async (operator: string, value: unknown): Promise<string[]> => {
      const conditions = [is('id', 'in', [first, both, none]), is('lines.product', operator, value)];
      const response = await search('sales_Order', { conditions }, { sort: 'createdDate' });
      return response.json().map(({ id }: { id: string }) => id);
    };
    expect(await found('=', one)).toEqual([first, both]);
    expect(await found('<>', one)).toEqual([both]);
    expect(await found('notIn', [one])).toEqual([both]);
    expect(await found('notIn', [one, other])).toEqual([]);
    expect(await found('notEmpty', undefined)).toEqual([first, both]);
    expect(await found('isNull', undefined)).toEqual([none]);
  });

  test('M:N associations, element collections and embedded objects', async () => {
    expect(await count('sales_Product', is('tags.name', 'notEmpty'))).toBeGreaterThan(0);
    expect(await count('sales_Customer', is('tags', '=', 'newsletter'))).toBeGreaterThan(0);
    expect(await count('sales_Customer', is('tags', 'contains', 'NEWS'))).toBe(
      await count('sales_Customer', is('tags', '=', 'newsletter')),
    );
    expect(await count('sales_Customer', is('address', 'notEmpty'), is('address.country', '=', 'DE'))).toBe(
      await count('sales_Customer', is('address.country', '=', 'DE')),
    );
  });

  // Asserts contract/filters.md#paths.
  test('what is not stored cannot be asked for: 400 (contract/decisions.md#14)', async () => {
    const response = await search('sales_Order', { conditions: [is('lineCount', '=', 1)] });
    expect([response.status, response.json().details]).toEqual([400, expect.stringContaining('lineCount')]);
  });

  // Asserts contract/filters.md#paths.
  test('row-level conditions hold besides the filter, also through references', async () => {
    const filter = { conditions: [is('customer.address.country', '=', 'FR')] };
    const body = { filter };
    expect(Number((await as('admin', 'POST', '/entities/sales_Order/search/count', { body })).text)).toBeGreaterThan(0);
    expect((await as('clerk', 'POST', '/entities/sales_Order/search/count', { body })).text).toBe('0');
  });

  // Asserts contract/filters.md#paths.
  test('a value is never read as a macro or as SQL', async () => {
    for (const value of ['@today', "' OR '1'='1", '$1', '%s', ':current_user_username'])
      expect(await count('sales_Customer', is('name', '=', value))).toBe(0);
  });
});
