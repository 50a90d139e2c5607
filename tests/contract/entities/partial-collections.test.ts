import { as, createOrder, demo, query, unique } from '../api.ts';

const orders = '/entities/sales_Order';
const ofOrder = (selection: object) => ({
  entity: 'sales_Order',
  properties: [
    'notes',
    { name: 'lines', fetchPlan: { properties: ['position', 'quantity', 'product'] }, ...selection },
  ],
});
const readOrder = async (id: string, selection: object = {}) =>
  (
    await as('admin', 'GET', `${orders}/${id}${query({ fetchPlan: ofOrder({ sort: 'position', ...selection }) })}`)
  ).json();
const quantities = async (id: string): Promise<number[]> =>
  (await readOrder(id)).lines.map(({ quantity }: { readonly quantity: number }) => quantity);

const orderWithLines = (): Promise<string> =>
  createOrder({
    lines: [1, 2, 3].map((position) => ({
      position,
      product: { id: demo.product(position) },
      quantity: position * 10,
    })),
  });

describe('collections that were read in part (contract/fetch-plans.md#partial)', () => {
  // Asserts contract/fetch-plans.md#partial, contract/writing.md#update.
  test.each(['PUT', 'PATCH'])(
    '%s changes and adds children, and removes none that the plan left out',
    async (method) => {
      const id = await orderWithLines();
      const shown = await readOrder(id, { limit: 1 });
      expect(shown).toMatchObject({ lines: [{ quantity: 10 }], _partial: ['lines'] });
      const added = { position: 4, product: { id: demo.product(4) }, quantity: 40 };
      const body = {
        ...shown,
        lines: [{ ...shown.lines[0], quantity: 11 }, method === 'PATCH' ? added : { ...added }],
      };
      const headers = { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' };
      const plan = query({
        responseFetchPlan: ofOrder({ filter: { conditions: [{ property: 'quantity', operator: '>', value: 30 }] } }),
      });
      const response = await as('admin', method, `${orders}/${id}${plan}`, { body, headers });
      expect(response.status).toBe(200);
      expect(response.json()).toMatchObject({ lines: [{ quantity: 40 }], _partial: ['lines'] });
      expect(await quantities(id)).toEqual([11, 20, 30, 40]);
      const { _partial, ...whole } = body;
      expect(_partial).toEqual(['lines']);
      await as('admin', 'PUT', `${orders}/${id}`, { body: { ...whole, lines: [shown.lines[0]] } });
      expect(await quantities(id)).toEqual([10]);
    },
  );

  // Asserts contract/fetch-plans.md#partial.
  test('an empty part removes nothing, in a batch and in a new instance alike', async () => {
    const id = await orderWithLines();
    const body = [{ id, notes: 'x', lines: [], _partial: ['lines'] }];
    expect((await as('admin', 'PUT', orders, { body })).status).toBe(200);
    expect(await quantities(id)).toEqual([10, 20, 30]);
    const created = await createOrder({
      lines: [{ product: { id: demo.product(1) }, quantity: 5 }],
      _partial: ['lines'],
    });
    expect(await quantities(created)).toEqual([5]);
  });

  // Asserts contract/fetch-plans.md#partial.
  test('links of associations stay, M:N and 1:N', async () => {
    const [customer, other] = await Promise.all(
      ['a', 'b'].map(
        async (name) =>
          (await as('admin', 'POST', '/entities/sales_Customer', { body: { name: unique(name) } })).json().id,
      ),
    );
    const [first, second] = await Promise.all([
      createOrder({ customer: { id: customer } }),
      createOrder({ customer: { id: other } }),
    ]);
    const body = { orders: [{ id: second }], _partial: ['orders'] };
    expect((await as('admin', 'PUT', `/entities/sales_Customer/${customer}`, { body })).status).toBe(200);
    const plan = { entity: 'sales_Customer', properties: ['orders'] };
    const { orders: found } = (
      await as('admin', 'GET', `/entities/sales_Customer/${customer}${query({ fetchPlan: plan })}`)
    ).json();
    expect(found.map(({ id }: { readonly id: string }) => id).sort()).toEqual([first, second].sort());

    const tags = (await as('admin', 'GET', '/entities/sales_ProductTag?limit=2')).json();
    const product = (
      await as('admin', 'POST', '/entities/sales_Product', {
        body: { name: unique('P'), sku: unique('S'), price: 1, tags: [tags[0]] },
      })
    ).json();
    const changed = { tags: [tags[1]], _partial: ['tags'] };
    expect((await as('admin', 'PUT', `/entities/sales_Product/${product.id}`, { body: changed })).status).toBe(200);
    const ofProduct = query({ fetchPlan: { entity: 'sales_Product', properties: ['tags'] } });
    expect((await as('admin', 'GET', `/entities/sales_Product/${product.id}${ofProduct}`)).json().tags).toHaveLength(2);
  });

  // Asserts contract/fetch-plans.md#partial.
  test.each([
    [{ _partial: 'lines' }, "'_partial' must be a JSON array of names of collections"],
    [{ _partial: ['customer'] }, `'_partial' names "customer", which is no collection of sales_Order`],
    [{ _partial: [1] }, `'_partial' names 1, which is no collection of sales_Order`],
  ])('%j is refused: members would leave without it', async (marker, details) => {
    const id = await orderWithLines();
    const { status, text } = await as('admin', 'PUT', `${orders}/${id}`, { body: { lines: [], ...marker } });
    expect([status, JSON.parse(text)]).toEqual([400, { error: 'Cannot deserialize an entity from JSON', details }]);
    expect(await quantities(id)).toEqual([10, 20, 30]);
  });
});
