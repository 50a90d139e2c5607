import { as, demo, query, send, unique } from '../api.ts';

const search = (entity: string, filter: unknown, more: Record<string, unknown> = {}) =>
  as('admin', 'POST', `/entities/${entity}/search`, { body: { filter, ...more } });

const numbers = async (filter: unknown): Promise<string[]> => {
  const response = await search('sales_Order', filter, { sort: 'number', fetchPlan: '_local' });
  if (response.status !== 200) throw new Error(response.text);
  return response.json().map((row: { number: string }) => row.number);
};

const where = (property: string, operator: string, value?: unknown) => ({
  conditions: [{ property, operator, ...(value === undefined ? {} : { value }) }],
});

describe('search (contract/filters.md#filters)', () => {
  // Asserts contract/reading.md#routes.
  test('GET and POST return the same', async () => {
    const filter = where('number', 'startsWith', 'a-0000');
    const get = await as('admin', 'GET', `/entities/sales_Order/search${query({ filter, sort: '-number', limit: 3 })}`);
    const post = await search('sales_Order', filter, { sort: '-number', limit: 3 });
    expect(get.status).toBe(200);
    expect(get.json()).toEqual(post.json());
    expect(get.json().map((row: { number: string }) => row.number)).toEqual(['A-00009', 'A-00008', 'A-00007']);
  });

  // Asserts contract/reading.md#routes.
  test('the count is a bare number', async () => {
    const filter = where('number', 'startsWith', 'A-0000');
    const post = await as('admin', 'POST', '/entities/sales_Order/search/count', { body: { filter } });
    const get = await as('admin', 'GET', `/entities/sales_Order/search/count${query({ filter })}`);
    expect([post.text, get.text, post.headers.get('content-type')]).toEqual(['9', '9', 'application/json']);
  });

  // Asserts contract/reading.md#count.
  test('returnCount in the body of a POST search', async () => {
    const response = await search('sales_Order', where('number', 'startsWith', 'A-0000'), {
      limit: 2,
      returnCount: true,
    });
    expect([response.json().length, response.headers.get('x-total-count')]).toEqual([2, '9']);
  });

  // Asserts contract/decisions.md#2, contract/filters.md#operators, contract/filters.md#structure,
  // contract/filters.md#types, contract/filters.md#values.
  test.each<[string, unknown, number]>([
    ['= text', where('number', '=', 'A-00007'), 1],
    ['= is case-sensitive', where('number', '=', 'a-00007'), 0],
    ['in', where('number', 'in', ['A-00007', 'A-00008', 'none']), 2],
    ['empty in', where('number', 'in', []), 0],
    ['contains, any case', where('number', 'contains', 'a-0000'), 9],
    ['endsWith', where('number', 'endsWith', '-00010'), 1],
    ['a literal percent sign', where('number', 'contains', '%'), 0],
    ['a literal underscore', where('number', 'contains', '_'), 0],
    [
      'reference by id',
      {
        conditions: [
          { property: 'number', operator: '=', value: 'A-00001' },
          { property: 'manager', operator: '=', value: demo.user(2) },
        ],
      },
      1,
    ],
    [
      'reference by object',
      {
        conditions: [
          { property: 'number', operator: '=', value: 'A-00001' },
          { property: 'manager', operator: '=', value: { id: demo.user(2) } },
        ],
      },
      1,
    ],
    ['uuid text operator (contract/decisions.md#2)', where('id', 'endsWith', '-8000-000000000007'), 1],
    [
      'notEmpty with value false',
      {
        conditions: [
          { property: 'number', operator: 'in', value: ['A-00001', 'A-00010'] },
          { property: 'notes', operator: 'notEmpty', value: false },
        ],
      },
      1,
    ],
    [
      'isNull',
      {
        conditions: [
          { property: 'number', operator: 'in', value: ['A-00001', 'A-00010'] },
          { property: 'notes', operator: 'isNull' },
        ],
      },
      1,
    ],
    [
      'to-many path',
      {
        conditions: [
          { property: 'number', operator: 'startsWith', value: 'A-0000' },
          { property: 'lines.quantity', operator: '>', value: 0 },
        ],
      },
      9,
    ],
    [
      'not group: none of its conditions is met',
      {
        conditions: [
          { property: 'number', operator: 'startsWith', value: 'A-0000' },
          {
            group: 'not',
            conditions: [
              { property: 'number', operator: 'endsWith', value: '1' },
              { property: 'number', operator: 'in', value: ['A-00002', 'A-00003'] },
            ],
          },
        ],
      },
      6,
    ],
    [
      'not group over a collection: no member matches',
      {
        conditions: [
          { property: 'number', operator: 'startsWith', value: 'A-0000' },
          { group: 'NOT', conditions: [{ property: 'lines.quantity', operator: '>', value: 0 }] },
        ],
      },
      0,
    ],
    [
      'or group',
      {
        conditions: [
          {
            group: 'or',
            conditions: [where('number', '=', 'A-00001').conditions[0], where('number', '=', 'A-00002').conditions[0]],
          },
        ],
      },
      2,
    ],
    [
      'an empty group filters nothing',
      { conditions: [{ group: 'OR', conditions: [] }, where('number', '=', 'A-00001').conditions[0]] },
      1,
    ],
  ])('finds the rows of: %s', async (_case, filter, expected) => {
    expect(await numbers(filter)).toHaveLength(expected);
  });

  // Asserts contract/filters.md#operators.
  test('comparisons split the rows: nothing twice, nothing lost', async () => {
    const scope = { property: 'number', operator: 'startsWith', value: 'A-00' };
    const all = await numbers({ conditions: [scope] });
    for (const [property, value] of [
      ['amount', '100.00'],
      ['date', '2026-05-01'],
      ['placedAt', '2026-05-01T08:30:00Z'],
    ] as const) {
      const [less, equal, more] = await Promise.all(
        ['<', '=', '>'].map((operator) => numbers({ conditions: [scope, { property, operator, value }] })),
      );
      expect([...(less ?? []), ...(equal ?? []), ...(more ?? [])].sort()).toEqual(all);
    }
  });

  // Asserts contract/filters.md#paths.
  test('a nested path joins the reference', async () => {
    const response = await search('sales_Order', where('customer.address.country', '=', 'FR'), {
      fetchPlan: { entity: 'sales_Order', properties: [{ name: 'customer', fetchPlan: { properties: ['address'] } }] },
    });
    const countries = new Set(
      response.json().map((row: { customer: { address: { country: string } } }) => row.customer.address.country),
    );
    expect([...countries]).toEqual(['FR']);
  });

  // Asserts contract/instances.md#object.
  test('enums are compared by constant name', async () => {
    const response = await search('sales_Order', where('status', 'in', ['NEW', 'CLOSED']), { fetchPlan: '_local' });
    expect(new Set(response.json().map((row: { status: string }) => row.status))).toEqual(new Set(['NEW', 'CLOSED']));
  });
});

describe('refused filters (contract/filters.md#structure, #checks)', () => {
  const invalid = 'Cannot parse entities filter';

  test.each<[string, unknown, string]>([
    [
      'no property',
      { conditions: [{ operator: '=', value: 1 }] },
      "Field 'property' is not defined for filter condition",
    ],
    [
      'no operator',
      { conditions: [{ property: 'number', value: 1 }] },
      "Field 'operator' is not defined for filter condition",
    ],
    ['an unknown operator', where('nothing', 'like', 'x'), 'Operator is not supported: like'],
    ['no value', where('number', '='), "Field 'value' is not defined for filter condition"],
    ['an unknown property', where('nothing', '=', 1), 'Property for sales_Order not found: nothing'],
    [
      'an unknown nested property',
      where('customer.nothing', '=', 1),
      'Property for sales_Order not found: customer.nothing',
    ],
    [
      'an operator that does not fit',
      where('number', '>', 'A'),
      'Operator > is not available for java type java.lang.String',
    ],
    [
      'a branch of an entity that is no tree',
      // Asserts contract/filters.md#trees.
      where('customer', 'under', '00000000-0000-4000-8000-000000000000'),
      'Operator under is not available for java type sales_Customer',
    ],
    [
      'in without an array',
      // Asserts contract/decisions.md#53, contract/errors.md#catalogue, contract/filters.md#checks,
      // contract/filters.md#structure.
      where('number', 'in', 'A'),
      'JSON array was expected as a value for condition with operator in',
    ],
    ['an unknown enum constant', where('status', '=', 'OPEN'), 'Cannot parse enum value: OPEN'],
    ['a number that is none', where('amount', '=', 'much'), 'Cannot parse property value: much'],
    ['an unknown group', { conditions: [{ group: 'XOR', conditions: [] }] }, 'Invalid conditions group type: XOR'],
  ])('a filter with %s: 400 with its text', async (_case, filter, details) => {
    const response = await search('sales_Order', filter);
    expect([response.status, response.json()]).toEqual([400, { error: invalid, details }]);
  });

  // Asserts contract/decisions.md#8, contract/filters.md#values.
  test('a malformed date: 400 naming the value', async () => {
    const response = await search('sales_Order', where('date', '=', '31.12.2026'));
    expect([response.status, response.json().error]).toEqual([400, invalid]);
    expect(response.json().details).toContain('31.12.2026');
  });

  // Asserts contract/decisions.md#8, contract/errors.md#catalogue, contract/filters.md#structure,
  // contract/reading.md#check-order.
  test('a body without filter: 400', async () => {
    const response = await as('admin', 'POST', '/entities/sales_Order/search', { body: {} });
    expect([response.status, response.json()]).toEqual([
      400,
      { error: invalid, details: 'Entities filter cannot be null' },
    ]);
  });

  // Asserts contract/errors.md#catalogue, contract/filters.md#structure.
  test('a condition that is no object: 400', async () => {
    const response = await search('sales_Order', { conditions: [null] });
    expect([response.status, response.json()]).toEqual([
      400,
      {
        error: 'Malformed request JSON data structure',
        details: 'JSON array element null is not a valid JSON object literal',
      },
    ]);
  });

  // Asserts contract/conventions.md#endpoints, contract/decisions.md#8, contract/filters.md#structure,
  // contract/reading.md#check-order.
  test.each(['', '{', '[]', 'null', '{"filter": {conditions: []}}', '\u0000'])('a body of %j: 400', async (body) => {
    const response = await as('admin', 'POST', '/entities/sales_Order/search', { body });
    expect(response.status).toBe(400);
    expect(Object.keys(response.json()).sort()).toEqual(['details', 'error']);
  });

  // Asserts contract/conventions.md#endpoints, contract/decisions.md#8, contract/errors.md#catalogue.
  test('GET search without filter: 400 naming the parameter', async () => {
    const response = await as('admin', 'GET', '/entities/sales_Order/search');
    expect(response.status).toBe(400);
    expect(response.json().details).toContain('filter');
  });

  // Asserts contract/filters.md#checks.
  test('a secret attribute is refused as an unknown one (contract/decisions.md#53)', async () => {
    const response = await search('sales_Product', where('internalNote', 'contains', 'Margin'));
    expect([response.status, response.json().details]).toEqual([
      400,
      'Property for sales_Product not found: internalNote',
    ]);
  });

  // Asserts contract/errors.md#catalogue, contract/filters.md#checks, contract/reading.md#sort.
  test('a hidden attribute cannot be probed by filter or sort (contract/decisions.md#13)', async () => {
    const byFilter = await as('clerk', 'POST', '/entities/sales_Customer/search', {
      body: { filter: where('creditLimit', '>', 1) },
    });
    const bySort = await as('clerk', 'GET', '/entities/sales_Customer?sort=creditLimit');
    const byPath = await as('clerk', 'POST', '/entities/sales_Order/search', {
      body: { filter: where('customer.creditLimit', '>', 1) },
    });
    for (const response of [byFilter, bySort, byPath]) {
      expect([response.status, response.json().error]).toEqual([403, 'Reading forbidden']);
      expect(response.json().details).toContain('creditLimit');
    }
  });

  // Asserts contract/tokens.md#anonymous.
  test('an anonymous search is closed unless its URL is listed', async () => {
    expect((await send('GET', `/rest/entities/sales_Customer/search${query({ filter: {} })}`)).status).toBe(401);
  });

  describe('some, every, none and count', () => {
    const line = (quantity: number, product: number) => ({ quantity, product: { id: demo.product(product) } });
    const name = unique('members');
    const found = async (...conditions: readonly object[]): Promise<string> => {
      const own = { property: 'notes', operator: '=', value: name };
      return (await numbers({ conditions: [own, ...conditions] })).map((number) => number.at(-1)).join('');
    };
    const quantity = (operator: string, value: number) => ({ property: 'quantity', operator, value });
    const product = (at: number) => ({ property: 'product', operator: '=', value: demo.product(at) });

    beforeAll(async () => {
      const lines = {
        a: [line(1, 1), line(20, 2)],
        b: [line(20, 1), line(30, 2), line(1, 1)],
        c: [line(20, 1)],
        d: [],
      };
      for (const [suffix, ofOrder] of Object.entries(lines)) {
        const body = {
          ...{ number: `${name.slice(-12)}${suffix}`, date: '2026-01-31', status: 'NEW', notes: name },
          ...{ customer: { id: demo.customer(1) }, manager: { id: demo.user(2) }, lines: ofOrder },
        };
        const created = await as('admin', 'POST', '/entities/sales_Order', { body });
        if (created.status !== 201) throw new Error(created.text);
      }
    });

    // Asserts contract/filters.md#members.
    test.each<[string, readonly object[], string]>([
      [
        'two paths may be met by two members',
        [
          { property: 'lines.quantity', operator: '>', value: 10 },
          { property: 'lines.product', operator: '=', value: demo.product(1) },
        ],
        'abc',
      ],
      [
        'some asks for one member that meets both',
        [{ some: 'lines', conditions: [quantity('>', 10), product(1)] }],
        'bc',
      ],
      ['some without conditions asks for a member', [{ some: 'lines' }], 'abc'],
      ['every is met by all members, and without members', [{ every: 'lines', conditions: [quantity('>', 10)] }], 'cd'],
      ['every without conditions is dropped', [{ every: 'lines', conditions: [] }], 'abcd'],
      ['none is met by no member', [{ none: 'lines', conditions: [product(2)] }], 'cd'],
      ['none without conditions asks for no member', [{ none: 'lines' }], 'd'],
      [
        'count counts the members that meet the conditions',
        [{ count: 'lines', operator: '=', value: 2, conditions: [quantity('>', 10)] }],
        'b',
      ],
      ['count of all members', [{ count: 'lines', operator: '<', value: 2 }], 'cd'],
      [
        'groups and collections in the conditions',
        [
          {
            some: 'lines',
            conditions: [
              { group: 'OR', conditions: [quantity('=', 30), { count: 'product.tags', operator: '>', value: 99 }] },
              { none: 'discounts' },
            ],
          },
        ],
        'b',
      ],
      ['in a group', [{ group: 'NOT', conditions: [{ some: 'lines', conditions: [product(2)] }] }], 'cd'],
      ['after a reference', [{ count: 'customer.orders', operator: '>=', value: 4 }, { none: 'lines' }], 'd'],
    ])('the filter finds the rows: %s', async (_title, conditions, expected) => {
      expect(await found(...conditions)).toBe(expected);
    });

    // Asserts contract/filters.md#value-of, contract/filters.md#relative.
    test('attributes are compared with each other and with the time of the request', async () => {
      const today = { startOf: 'day', timeZone: 'UTC' };
      expect(await found({ property: 'number', operator: '=', valueOf: 'number' })).toBe('abcd');
      expect(await found({ property: 'createdDate', operator: '>', valueOf: 'date' })).toBe('abcd');
      expect(await found({ property: 'manager', operator: '<>', valueOf: 'manager' })).toBe('');
      expect(await found({ property: 'createdDate', operator: '>=', value: { ...today, plus: '-P1D' } })).toBe('abcd');
      expect(await found({ property: 'createdDate', operator: '>', value: { now: 'PT1M' } })).toBe('');
      const ofLine = { property: 'order.date', operator: '<', value: { now: '-P1D' } };
      expect(await found({ some: 'lines', conditions: [ofLine] })).toBe('abc');
      const details = async (condition: object) => {
        const refused = await search('sales_Order', { conditions: [condition] });
        return [refused.status, refused.json().details];
      };
      expect(await details({ property: 'date', operator: '>', valueOf: 'number' })).toEqual([
        400,
        'date (localDate) and number (string) cannot be compared',
      ]);
      const value = { now: 'P0D', timeZone: 'Nowhere/Land' };
      expect(await details({ property: 'date', operator: '>', value })).toEqual([
        400,
        `Cannot parse property value: ${JSON.stringify(value)}`,
      ]);
      const hidden = { conditions: [{ property: 'amount', operator: '>', valueOf: 'customer.creditLimit' }] };
      expect((await as('clerk', 'POST', '/entities/sales_Order/search', { body: { filter: hidden } })).status).toBe(
        403,
      );
    });

    // Asserts contract/filters.md#members.
    test('a deleted member decides nothing', async () => {
      const search = {
        fetchPlan: '_local',
        filter: {
          conditions: [
            { property: 'notes', operator: '=', value: name },
            { some: 'lines', conditions: [quantity('=', 30)] },
          ],
        },
      };
      const lines = {
        fetchPlan: '_local',
        filter: { conditions: [{ property: 'order.notes', operator: '=', value: name }, quantity('=', 30)] },
      };
      expect((await as('admin', 'POST', '/entities/sales_Order/search', { body: search })).json()).toHaveLength(1);
      const [member] = (await as('admin', 'POST', '/entities/sales_OrderLine/search', { body: lines })).json();
      expect((await as('admin', 'DELETE', `/entities/sales_OrderLine/${member.id}`)).status).toBe(204);
      expect((await as('admin', 'POST', '/entities/sales_Order/search', { body: search })).json()).toEqual([]);
    });

    // Asserts contract/filters.md#members.
    test('hidden attributes and secrets of members are refused', async () => {
      const condition = (property: string) => ({ property, operator: 'notEmpty' });
      const probe = (caller: 'admin' | 'clerk', entity: string, node: object) =>
        as(caller, 'POST', `/entities/${entity}/search`, { body: { filter: { conditions: [node] } } });
      const hidden = {
        some: 'orders',
        conditions: [
          { every: 'lines.order.customer.orders', conditions: [condition('id')] },
          condition('customer.creditLimit'),
        ],
      };
      const attribute = await probe('clerk', 'sales_Customer', {
        none: 'orders',
        conditions: [condition('customer.creditLimit')],
      });
      expect([attribute.status, attribute.json().error]).toEqual([403, 'Reading forbidden']);
      const secret = await probe('admin', 'sales_Order', {
        some: 'lines',
        conditions: [condition('product.internalNote')],
      });
      expect([secret.status, secret.json().details]).toEqual([
        400,
        'Property for sales_OrderLine not found: product.internalNote',
      ]);
      const through = await probe('admin', 'sales_Customer', hidden);
      expect([through.status, through.json().details]).toEqual([
        400,
        'lines.order.customer.orders leads through a collection: the condition of a collection can contain that of another one',
      ]);
    });

    // Asserts contract/filters.md#members, contract/conventions.md#unknown.
    test('members without a meaning are named', async () => {
      const conditions = [{ some: 'lines', value: 1, conditions: [{ ...quantity('>', 1), comment: 'x' }] }];
      const response = await as('admin', 'POST', '/entities/sales_Order/search', {
        body: { filter: { conditions } },
        headers: { prefer: 'handling=strict' },
      });
      expect([response.status, response.json().details]).toEqual([
        400,
        expect.stringContaining('filter.conditions[0]'),
      ]);
    });
  });
});
