import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase } from '@lintel/testkit';
import { type ExistingDatabase, introspect, serveExisting, statementsOf } from './existing-database.ts';
import { manyTables } from './many-tables.ts';
import { reportText } from './report-text.ts';

// `lintel serve` serves each database from an empty folder. `write-reports.ts` writes the expected reports.

const expectedReport = (name: string): string =>
  readFileSync(new URL(`./reports/${name}.txt`, import.meta.url), 'utf8');

const encoded = (value: object): string => encodeURIComponent(JSON.stringify(value));

/** Path of a list of an entity, with what each instance contains. */
const listOf = (entity: string, properties: readonly (string | object)[], more = ''): string =>
  `/entities/${entity}${more.includes('filter=') ? '/search' : ''}?fetchPlan=${encoded({ entity, properties })}${more}`;

const where = (property: string, operator: string, value: unknown): string =>
  `&filter=${encoded({ conditions: [{ property, operator, value }] })}`;

const expand = (name: string, ...properties: readonly (string | object)[]): object => ({
  name,
  fetchPlan: { properties },
});

/** Serves a database for the tests of a block. */
function served(name: string, statements: string, options = { write: true }) {
  let existing: ExistingDatabase;
  beforeAll(async () => {
    existing = await serveExisting(name, statements, options);
    // The programs for 500 tables take two minutes on a busy machine.
  }, 400_000);
  afterAll(() => existing.close());
  return {
    get: () => existing,
    list: async (path: string) => {
      const { status, text, json } = await existing.send('GET', path);
      expect([status, text]).toEqual([200, expect.stringMatching(/^\[/)]);
      return json();
    },
    write: async (method: string, path: string, body: object, expected = method === 'POST' ? 201 : 200) => {
      const { status, text, json } = await existing.send(method, path, body);
      expect([status, text]).toEqual([expected, expect.stringMatching(/^{"_/)]);
      return json();
    },
  };
}

/** What is true of every database. */
function testAll(name: string, { get }: ReturnType<typeof served>): void {
  test('the report names all that the model does not have', () => {
    expect(reportText(get().report)).toBe(expectedReport(name));
  });

  test('every table that became an entity has a list, and the documents describe it', async () => {
    const document = (await get().send('GET', '/docs/openapiDetailed.json')).json();
    for (const { entity } of get().report.entities) {
      const { status, text } = await get().send('GET', `/entities/${entity}?fetchPlan=_base&limit=2`);
      expect([entity, status, text]).toEqual([entity, 200, expect.stringMatching(/^\[/)]);
      expect(document.paths).toHaveProperty([`/rest/entities/${entity}`]);
    }
  });
}

describe('a shop for music, with names in mixed case', () => {
  const shop = served('chinook', statementsOf('chinook'));
  testAll('chinook', shop);

  test('references and collections are expanded, filtered and sorted', async () => {
    const plan = ['name', expand('album', 'title', expand('artist', 'name')), expand('playlists', 'name')];
    const filter = where('album.artist.name', '=', 'Harbour Choir');
    expect(await shop.list(listOf('chinook_Track', plan, `${filter}&sort=-milliseconds`))).toMatchObject([
      {
        name: 'Flood',
        album: { title: 'Low Tide', artist: { name: 'Harbour Choir' } },
        playlists: [{ name: 'Evening' }],
      },
      { name: 'Ebb' },
    ]);
    const reports = where('reportsTo.lastName', '=', 'Sand');
    expect(await shop.list(listOf('chinook_Employee', ['firstName', 'reportsTo'], reports))).toMatchObject([
      { firstName: 'Ida', reportsTo: { _instanceName: 'Ole Sand' } },
    ]);
  });

  test('rows are created with their references and links, changed and deleted', async () => {
    const track = { id: 9, name: 'Foam', album: { id: 1 }, mediaType: { id: 1 }, milliseconds: 1, unitPrice: 0.5 };
    await shop.write('POST', '/entities/chinook_Track', track);
    await shop.write('PUT', '/entities/chinook_Playlist/2', { tracks: [{ id: 9 }] });
    expect(await shop.get().database.query('SELECT * FROM "PlaylistTrack" WHERE "PlaylistId" = 2')).toEqual([
      { PlaylistId: 2, TrackId: 9 },
    ]);
    await shop.write('PUT', '/entities/chinook_Playlist/2', { tracks: [] });
    expect((await shop.get().send('DELETE', '/entities/chinook_Track/9')).status).toBe(204);
    expect(await shop.get().database.query('SELECT count(*)::int AS n FROM "Track"')).toEqual([{ n: 3 }]);
  });
});

describe('a trader in food, with keys that are texts and keys of two columns', () => {
  const trader = served('northwind', statementsOf('northwind'));
  testAll('northwind', trader);

  test('references and collections are expanded, filtered and sorted', async () => {
    const plan = ['orderDate', expand('customer', 'companyName'), expand('shipVia', 'companyName')];
    const filter = where('customer.country', '=', 'Austria');
    expect(await trader.list(listOf('northwind_Order', plan, `${filter}&sort=-freight`))).toMatchObject([
      { id: 101, customer: { id: 'LINDE', companyName: 'Linden Deli' }, shipVia: { companyName: 'Slow Land' } },
      { id: 102 },
    ]);
    const regions = ['lastName', expand('territories', 'territoryDescription')];
    expect(await trader.list(listOf('northwind_Employee', regions, where('lastName', '=', 'Hauge')))).toMatchObject([
      { lastName: 'Hauge', territories: [{ id: '5003' }] },
    ]);
    expect(await trader.list(listOf('northwind_OrderDetail', ['quantity'], '&sort=quantity'))).toMatchObject([
      { id: { orderId: 100, productId: 2 }, quantity: 4 },
      { quantity: 10 },
      { quantity: 20 },
    ]);
  });

  test('references inside keys are read by path, and from the other end', async () => {
    const details = ['quantity', expand('product', 'productName'), expand('order', expand('customer', 'companyName'))];
    const filter = where('order.customer.country', '=', 'Norway');
    expect(
      await trader.list(listOf('northwind_OrderDetail', details, `${filter}&sort=-product.productName`)),
    ).toMatchObject([
      {
        id: { orderId: 100, productId: 2 },
        product: { id: 2, productName: 'Rye Flour' },
        order: { id: 100, customer: { companyName: 'Harbour Foods' } },
      },
      { id: { orderId: 100, productId: 1 }, product: { productName: 'Elder Tea' } },
    ]);
    const orders = ['freight', expand('orderDetails', 'quantity', expand('product', 'productName'))];
    expect(await trader.list(listOf('northwind_Order', orders, where('orderDetails.quantity', '=', 4)))).toMatchObject([
      { id: 100, orderDetails: [{ quantity: 10 }, { quantity: 4, product: { productName: 'Rye Flour' } }] },
    ]);
  });

  test('rows are created with keys that clients send, and changed', async () => {
    const order = { id: 200, customer: { id: 'HARBR' }, orderDate: '2026-07-01', freight: 1.5 };
    await trader.write('POST', '/entities/northwind_Order', order);
    await trader.write('PUT', '/entities/northwind_Order/200', { shipVia: { id: 2 }, freight: 2.25 });
    const line = { id: { orderId: 200, productId: 3 }, unitPrice: 6, quantity: 1, discount: 0 };
    await trader.write('POST', '/entities/northwind_OrderDetail', line);
    const columns = 'customer_id, ship_via, freight, product_id';
    expect(
      await trader
        .get()
        .database.query(`SELECT ${columns} FROM orders JOIN order_details USING (order_id) WHERE order_id = 200`),
    ).toEqual([{ customer_id: 'HARBR', ship_via: 2, freight: 2.25, product_id: 3 }]);
    const byReference = { order: { id: 200 }, product: { id: 1 }, unitPrice: 6, quantity: 2, discount: 0 };
    expect(await trader.write('POST', '/entities/northwind_OrderDetail', byReference)).toMatchObject({
      id: { orderId: 200, productId: 1 },
    });
    const differing = { ...byReference, id: { orderId: 200, productId: 2 } };
    const refused = await trader.get().send('POST', '/entities/northwind_OrderDetail', differing);
    expect([refused.status, refused.json()]).toEqual([
      400,
      [expect.objectContaining({ path: 'product', message: expect.stringContaining('id.productId') })],
    ]);
    const missing = { id: 201, customer: { id: 'NOONE' } };
    expect((await trader.get().send('POST', '/entities/northwind_Order', missing)).status).toBeGreaterThanOrEqual(400);
  });
});

describe('a shop that lends films, with enums, domains, arrays, partitions, triggers and views', () => {
  const shop = served('pagila', statementsOf('pagila'));
  testAll('pagila', shop);

  test('references and collections are expanded, filtered and sorted', async () => {
    const plan = ['rentalDate', expand('inventory', expand('film', 'title', 'rating')), expand('customer', 'email')];
    const filter = where('inventory.film.rating', '=', 'R');
    expect(await shop.list(listOf('pagila_Rental', plan, filter))).toMatchObject([
      { inventory: { film: { title: 'Winter Post', rating: 'R' } }, customer: { email: 'ada@example.com' } },
    ]);
    const actors = [expand('film', 'title'), expand('actor', 'lastName')];
    const played = where('film.title', '=', 'Winter Post');
    expect(await shop.list(listOf('pagila_FilmActor', actors, `${played}&sort=actor.lastName`))).toMatchObject([
      { film: { title: 'Winter Post' }, actor: { lastName: 'Okonkwo' } },
    ]);
    const stores = [expand('manager', 'username'), expand('address', expand('city', expand('country', 'country')))];
    expect(await shop.list(listOf('pagila_Store', stores))).toMatchObject([
      { manager: { username: 'eeva' }, address: { city: { country: { country: 'Finland' } } } },
    ]);
  });

  test('rows are created and changed; triggers of the database do their part', async () => {
    const specialFeatures = ['Trailers', 'Deleted Scenes'];
    const film = { title: 'Two Lamps', language: { id: 1 }, rating: 'PG_13', specialFeatures };
    const { id } = await shop.write('POST', '/entities/pagila_Film', film);
    const columns = `rental_rate::text, rating::text, fulltext @@ to_tsquery('english', 'lamp') AS found`;
    const row = `SELECT ${columns} FROM film WHERE film_id = ${id}`;
    expect(await shop.get().database.query(row)).toEqual([{ rental_rate: '4.99', rating: 'PG-13', found: true }]);
    await shop.write('PUT', `/entities/pagila_Film/${id}`, { rentalRate: 1.25, originalLanguage: { id: 2 } });
    expect(await shop.get().database.query(row)).toMatchObject([{ rental_rate: '1.25' }]);
    const lent = await shop.list(listOf('pagila_Film', ['title'], where('specialFeatures', '=', 'Deleted Scenes')));
    expect(lent).toContainEqual(expect.objectContaining({ title: 'Two Lamps' }));
    const plan = ['fulltext', 'specialFeatures'];
    expect(await shop.list(listOf('pagila_Film', plan, where('fulltext', 'contains', "'lamp'")))).toMatchObject([
      { fulltext: "'lamp':2 'two':1", specialFeatures },
    ]);
  });

  test('a view of one table has the key of the table, a materialized view the one of its unique index', async () => {
    const one = await shop.get().send('GET', '/entities/pagila_ActiveCustomer/1');
    expect([one.status, one.json()]).toMatchObject([200, { id: 1, lastName: 'Koski' }]);
    const category = await shop.get().send('GET', '/entities/pagila_RentalByCategory/Drama');
    expect([category.status, category.json()]).toMatchObject([200, { category: 'Drama' }]);
  });

  test('other views are lists without ids', async () => {
    const entity = 'pagila_CustomerList';
    const cities = listOf(entity, ['name', 'country', 'zipCode'], `${where('country', '=', 'Finland')}&sort=-name`);
    const customers = await shop.list(cities);
    expect(customers[0]).toMatchObject({ _entityName: entity, _instanceName: 'Tomi Koski', name: 'Tomi Koski' });
    expect(await shop.list(listOf('pagila_FilmList', ['title', 'rating'], '&sort=title&limit=1'))).toEqual([
      { _entityName: 'pagila_FilmList', _instanceName: 'Nine Bridges', title: 'Nine Bridges', rating: 'G' },
    ]);
    const { json } = await shop.get().send('GET', `/entities/${entity}?returnCount=true&limit=1`);
    expect(json()).toHaveLength(1);
    expect((await shop.get().send('GET', `/entities/${entity}/1`)).status).toBe(404);
    expect((await shop.get().send('POST', `/entities/${entity}`, { name: 'x' })).status).toBe(405);
  });

  test('rows of a partitioned table have the key of a time with microseconds and a number', async () => {
    const plan = ['amount', expand('customer', 'lastName')];
    const [payment] = await shop.list(listOf('pagila_Payment', plan, where('amount', '>', 3)));
    expect(payment).toMatchObject({ amount: 4.99, customer: { lastName: expect.any(String) } });
    const id = { paymentDate: '2026-02-14T10:00:00.123456Z', paymentId: 900 };
    const paid = { id, amount: '1.50', customer: { id: 1 }, staff: { id: 1 }, rental: { id: 1 } };
    expect(await shop.write('POST', '/entities/pagila_Payment', paid)).toMatchObject({ id });
    const path = `/entities/pagila_Payment/${Buffer.from(JSON.stringify(id)).toString('base64url')}`;
    expect(await shop.write('PUT', path, { amount: '2.50' })).toMatchObject({ id });
    const stored = `SELECT amount::text, (payment_date AT TIME ZONE 'UTC')::text AS at FROM payment_p2026_02`;
    expect(await shop.get().database.query(`${stored} WHERE payment_id = 900`)).toEqual([
      { amount: '2.50', at: '2026-02-14 10:00:00.123456' },
    ]);
    expect((await shop.get().send('DELETE', path)).status).toBe(204);
  });
});

describe('tables and columns with reserved names, blanks, quotes, and names that differ only in case', () => {
  const names = served('names', statementsOf('names'));
  testAll('names', names);

  test.each([
    {
      entity: 'names_User',
      table: '"user"',
      row: { id: 9, group: 'g', limit: 3 },
      found: ['limit', 3],
      change: { group: 'h' },
      changed: { group: 'h' },
    },
    {
      entity: 'names_Select',
      table: '"select"',
      row: { id: 'z', grosse: 2.5 },
      found: ['grosse', 2.5],
      change: { where: true },
      changed: { where: true },
    },
    {
      entity: 'names_Order',
      table: '"Order"',
      row: { id: 9, select: 's', selectValue: 7, itSQuoted: '2026-02-03', user: { id: 1 } },
      found: ['itSQuoted', '2026-02-03'],
      change: { twoWords: 1.25 },
      changed: { select: 's', Select: 7, 'two words': '1.25', user: 1 },
    },
    {
      entity: 'names_OrderEntity',
      table: '"order"',
      row: { id: 9, from: 'x' },
      found: ['from', 'x'],
      change: { order: { id: 1 } },
      changed: { from: 'x', Order: 1 },
    },
    {
      entity: 'names_OrderLine',
      table: '"ORDER LINE"',
      row: { id: { order: 1, position: 9 }, table: 't' },
      found: ['table', 't'],
      change: { table: 'u' },
      changed: { Order: 1, position: 9, table: 'u' },
    },
  ] as const)('a row of $table is created, found, changed and deleted', async (each) => {
    const { entity, table, row, found, change, changed } = each;
    const [attribute, value] = found;
    const path = `/entities/${entity}/${typeof row.id === 'object' ? Buffer.from(JSON.stringify(row.id)).toString('base64url') : row.id}`;
    expect(await names.write('POST', `/entities/${entity}`, row)).toMatchObject({ id: row.id });
    const list = listOf(entity, [attribute], `${where(attribute, '=', value)}&sort=-${attribute}`);
    expect(await names.list(list)).toMatchObject([{ id: row.id, [attribute]: value }]);
    await names.write('PUT', path, change);
    expect(await names.get().database.query(`SELECT * FROM ${table}`)).toContainEqual(expect.objectContaining(changed));
    expect((await names.get().send('DELETE', path)).status).toBe(204);
    expect(await names.list(list)).toEqual([]);
  });

  test('references, a tree, an entity between two others and links are read by path', async () => {
    const orders = [
      'select',
      expand('parent', 'select'),
      expand('orderLines', 'table'),
      expand('userSeesOrders', 'when', expand('user', 'group')),
      expand('users', 'group'),
    ];
    expect(await names.list(listOf('names_Order', orders, where('parent.user.group', '=', 'all')))).toMatchObject([
      {
        id: 2,
        parent: { select: 'first' },
        orderLines: [{ id: { order: 2, position: 1 }, table: 'c' }],
        userSeesOrders: [
          { when: '2026-02-03', user: { group: 'all' } },
          { when: '2026-02-04', user: { group: 'none' } },
        ],
        users: [{ id: 1 }],
      },
    ]);
    const sees = { user: { id: 1 }, order: { id: 1 }, when: '2026-03-01' };
    expect(await names.write('POST', '/entities/names_UserSeesOrder', sees)).toMatchObject({
      id: { user: 1, order: 1 },
    });
    expect(
      await names.list(listOf('names_UserSeesOrder', ['when'], `${where('order.select', '=', 'first')}&sort=when`)),
    ).toMatchObject([{ id: { user: 1, order: 1 }, when: '2026-03-01' }]);
  });
});

test('inheritance of other programs is reported where it may be', async () => {
  const database = await createTestDatabase('vehicles');
  const folder = mkdtempSync(join(tmpdir(), 'lintel-report-'));
  try {
    await database.query(statementsOf('vehicles'));
    expect(reportText(await introspect('vehicles', database.url, folder))).toBe(expectedReport('vehicles'));
  } finally {
    rmSync(folder, { recursive: true });
    await database.drop();
  }
});

describe('a schema of 500 tables', () => {
  const many = served('many', manyTables(), { write: false });

  test('all become entities, which are served read-only', async () => {
    const { report, figures } = many.get();
    expect([report.entities.length, report.findings]).toEqual([500, []]);
    const { introspectSeconds, firstResponseSeconds } = figures;
    process.stdout.write(
      `500 tables: introspected in ${introspectSeconds.toFixed(1)} s, served after ${firstResponseSeconds.toFixed(1)} s\n`,
    );
    const document = (await many.get().send('GET', '/docs/openapiDetailed.json')).json();
    expect(Object.keys(document.paths).filter((path) => /^\/rest\/entities\/many_\w+$/.test(path))).toHaveLength(500);
    const plan = ['name', expand('parent', 'name', expand('parent', 'name'))];
    expect(
      await many.list(listOf('many_Module19Item499', plan, where('parent.name', 'contains', 'item_249'))),
    ).toMatchObject([
      { name: 'first of module_19_item_499', parent: { parent: { name: 'first of module_04_item_124' } } },
    ]);
    const refused = await many.get().send('POST', '/entities/many_Module00Item000', { name: 'x' });
    expect(refused.status).toBe(405);
    const schemas = `SELECT nspname AS name FROM pg_namespace WHERE nspname !~ '^pg_|^information_schema$'`;
    expect(await many.get().database.query(schemas)).toEqual([{ name: 'public' }]);
  });
});
