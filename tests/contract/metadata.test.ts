import { as, send } from './api.ts';

interface PropertyFlags {
  readonly persistent: boolean;
  readonly transient: boolean;
}

const metadata = async (path: string, headers: Readonly<Record<string, string>> = {}, user = 'admin') =>
  as(user, 'GET', `/metadata${path}`, { headers });
// biome-ignore lint/suspicious/noExplicitAny: metadata has many shapes
const read = async (path: string, headers: Readonly<Record<string, string>> = {}): Promise<any> => {
  const response = await metadata(path, headers);
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    expect.stringContaining('application/json'),
  ]);
  return response.json();
};
const propertiesOf = async (entity: string, headers?: Readonly<Record<string, string>>) => {
  const { properties } = await read(`/entities/${entity}`, headers);
  return Object.fromEntries(properties.map((property: { name: string }) => [property.name, property]));
};

const ROUTES = [
  '/entities',
  '/entities/sales_Order',
  '/entities/sales_Order/fetchPlans',
  '/entities/sales_Order/views',
  '/entities/sales_Order/fetchPlans/order-list',
  '/enums',
  '/enums/sales.OrderStatus',
  '/datatypes',
];

describe('entities (contract/metadata.md#entities, #metadata)', () => {
  test('an entity has its name, its ancestor and its properties', async () => {
    const order = await read('/entities/sales_Order');
    expect(Object.keys(order)).toEqual(['entityName', 'ancestor', 'properties']);
    expect(order).toMatchObject({ entityName: 'sales_Order', ancestor: null });
    expect((await read('/entities/sales_Company')).ancestor).toBe('sales_Party');
  });

  // Asserts contract/metadata.md#entities, contract/metadata.md#metadata.
  test('a property has the nine members of the contract (contract/decisions.md#21)', async () => {
    const { amount, lineCount } = await propertiesOf('sales_Order', { 'accept-language': 'en' });
    expect(amount).toEqual({
      name: 'amount',
      attributeType: 'DATATYPE',
      type: 'decimal',
      cardinality: 'NONE',
      mandatory: false,
      readOnly: false,
      description: 'Amount',
      persistent: true,
      transient: false,
    });
    expect(lineCount).toMatchObject({ persistent: false, transient: true, readOnly: true, type: 'int' });
  });

  // Asserts contract/decisions.md#70, contract/metadata.md#entities.
  test.each([
    ['sales_Order', 'date', 'DATATYPE', 'localDate', 'NONE'],
    ['sales_Order', 'externalId', 'DATATYPE', 'uuid', 'NONE'],
    ['sales_Order', 'attachment', 'DATATYPE', 'fileRef', 'NONE'],
    ['sales_Order', 'status', 'ENUM', 'sales.OrderStatus', 'NONE'],
    ['sales_Order', 'customer', 'ASSOCIATION', 'sales_Customer', 'MANY_TO_ONE'],
    ['sales_Order', 'lines', 'COMPOSITION', 'sales_OrderLine', 'ONE_TO_MANY'],
    ['sales_Order', 'delivery', 'COMPOSITION', 'sales_Delivery', 'ONE_TO_ONE'],
    ['sales_Customer', 'orders', 'ASSOCIATION', 'sales_Order', 'ONE_TO_MANY'],
    ['sales_Customer', 'address', 'EMBEDDED', 'sales_Address', 'ONE_TO_ONE'],
    ['sales_Customer', 'tags', 'DATATYPE', 'string', 'ONE_TO_MANY'],
    ['sales_Product', 'tags', 'ASSOCIATION', 'sales_ProductTag', 'MANY_TO_MANY'],
    ['sales_ExchangeRate', 'id', 'EMBEDDED', 'sales_RateKey', 'ONE_TO_ONE'],
  ])('%s.%s is %s of %s, %s', async (entity, attribute, attributeType, type, cardinality) => {
    const found = (await propertiesOf(entity))[attribute];
    expect(found).toMatchObject({ attributeType, cardinality });
    if (attribute !== 'id') expect(found.type).toBe(type);
  });

  // Asserts contract/metadata.md#entities.
  test('mandatory attributes are named, system attributes are there', async () => {
    const properties = await propertiesOf('sales_Order');
    expect([properties.number.mandatory, properties.customer.mandatory, properties.notes.mandatory]).toEqual([
      ...[true, true, false],
    ]);
    for (const name of ['id', 'version', 'createdDate', 'createdBy', 'deletedDate'])
      expect(properties).toHaveProperty(name);
  });

  // Asserts contract/metadata.md#entities.
  test('attributes of the farthest ancestor come first, own ones last', async () => {
    const { properties } = await read('/entities/sales_Company');
    const names = properties.map(({ name }: { name: string }) => name);
    expect(names.indexOf('name')).toBeLessThan(names.indexOf('vatNumber'));
    expect(names.at(-1)).toBe('vatNumber');
  });

  // Asserts contract/decisions.md#63, contract/metadata.md#entities, contract/metadata.md#metadata.
  test('the list has all entities of the application and the platform: stored ones, embeddables and DTOs', async () => {
    const list = await read('/entities');
    const names: string[] = list.map(({ entityName }: { entityName: string }) => entityName);
    expect(names).toEqual(
      expect.arrayContaining(['sales_Order', 'sales_Address', 'sales_Party', 'sales_PriceQuote', 'sec_User']),
    );
    expect(new Set(names).size).toBe(names.length);
    expect(list.find(({ entityName }: { entityName: string }) => entityName === 'sales_Order')).toEqual(
      await read('/entities/sales_Order'),
    );
    const quote = list.find(({ entityName }: { entityName: string }) => entityName === 'sales_PriceQuote');
    expect(quote).toEqual(await read('/entities/sales_PriceQuote'));
    expect(quote.properties.map(({ persistent, transient }: PropertyFlags) => [persistent, transient])).toEqual(
      Array.from({ length: 4 }, () => [false, true]),
    );
  });

  // Asserts contract/metadata.md#entities.
  test('captions are in the language of the request', async () => {
    const [english, german] = await Promise.all(
      ['en', 'de'].map(async (locale) => (await propertiesOf('sales_Order', { 'accept-language': locale })).customer),
    );
    expect([english.description, german.description]).toEqual(['Customer', 'Kunde']);
  });

  // Asserts contract/errors.md#catalogue, contract/metadata.md#entities.
  test('permissions do not matter', async () => {
    const response = await metadata('/entities/sales_Order', {}, 'viewer');
    expect([response.status, response.json()]).toEqual([200, await read('/entities/sales_Order')]);
  });

  test('details are for clients that ask for them (contract/metadata.md#details)', async () => {
    const order = await read('/entities/sales_Order?details=true', { 'accept-language': 'en' });
    expect(order).toMatchObject({
      ...{ kind: 'entity', abstract: false, key: 'id', keyGeneration: 'uuid', nameAttributes: ['number'] },
      ui: {
        groups: [expect.objectContaining({ name: 'delivery', description: 'Delivery and times' })],
        listPlan: { name: 'order-list', entity: 'sales_Order' },
      },
    });
    const byName = Object.fromEntries(order.properties.map((each: { name: string }) => [each.name, each]));
    expect(byName.number).toMatchObject({ length: 20, unique: true });
    expect(byName.lines).toMatchObject({ owning: false, inverse: 'order' });
    const plain = await read('/entities/sales_Order');
    expect(Object.keys(plain)).toEqual(['entityName', 'ancestor', 'properties']);
    expect(await read('/entities/sales_Order?details=false')).toEqual(plain);
    const list = await read('/entities?details=true', { 'accept-language': 'en' });
    expect(list.find(({ entityName }: { entityName: string }) => entityName === 'sales_Order')).toEqual(order);
  });

  // Asserts contract/metadata.md#details, contract/personal-data.md#declaration.
  test('attributes about a person are named', async () => {
    const { properties } = await read('/entities/sales_Customer?details=true');
    const personal = properties.filter((each: { personal?: boolean }) => each.personal === true);
    expect(personal.map(({ name }: { name: string }) => name).sort()).toEqual(
      ['address', 'avatar', 'birthDate', 'email', 'name', 'phone'].sort(),
    );
  });

  // Asserts contract/metadata.md#details.
  test.each(['yes', '', 'true&details=true'])('details=%s is refused', async (value) => {
    const response = await metadata(`/entities?details=${value}`);
    expect([response.status, response.json()]).toEqual([
      400,
      expect.objectContaining({ details: 'details must be true or false' }),
    ]);
  });

  // Asserts contract/metadata.md#entities.
  test('dynamic attributes stand apart and are flagged', async () => {
    const { properties, dynamicProperties } = await read('/entities/sales_Customer', { 'accept-language': 'de' });
    expect(properties.filter(({ name }: { name: string }) => name.startsWith('+'))).toEqual([]);
    expect(dynamicProperties.slice(0, 4)).toEqual([
      expect.objectContaining({ name: '+loyaltyNumber', type: 'string', dynamic: true, description: 'Treuenummer' }),
      expect.objectContaining({ name: '+loyaltyPoints', type: 'int', category: 'Loyalty' }),
      expect.objectContaining({ name: '+vip', type: 'boolean' }),
      expect.objectContaining({
        name: '+favourite',
        attributeType: 'ASSOCIATION',
        type: 'sales_Product',
        cardinality: 'MANY_TO_ONE',
      }),
    ]);
  });
});

describe('fetch plans (contract/metadata.md#fetch-plans)', () => {
  const orderList = {
    name: 'order-list',
    entity: 'sales_Order',
    properties: [
      ...['number', 'date', 'status', 'amount'],
      { name: 'customer', fetchPlan: { properties: ['name', 'email'] } },
    ],
  };

  // Asserts contract/metadata.md#fetch-plans.
  test('the list has the named plans without the built-in ones; entities without any have an empty one', async () => {
    const plans = await read('/entities/sales_Order/fetchPlans');
    expect(plans.map(({ name }: { name: string }) => name).sort()).toEqual(['order-edit', 'order-list']);
    expect(plans).toContainEqual(orderList);
    expect(await read('/entities/sales_Warehouse/fetchPlans')).toEqual([]);
  });

  // Asserts contract/fetch-plans.md#fetch-plans, contract/metadata.md#fetch-plans.
  test('one plan by its name, built-in ones too', async () => {
    expect(await read('/entities/sales_Order/fetchPlans/order-list')).toEqual(orderList);
    const local = await read('/entities/sales_Warehouse/fetchPlans/_local');
    expect(local).toEqual({ name: '_local', entity: 'sales_Warehouse', properties: ['code', 'name'] });
    for (const name of ['_base', '_instance_name'])
      expect((await read(`/entities/sales_Order/fetchPlans/${name}`)).name).toBe(name);
  });

  // Asserts contract/metadata.md#fetch-plans.
  test('nested plans keep their name where they have one, and have no entity', async () => {
    const { properties } = await read('/entities/sales_Order/fetchPlans/order-edit');
    const nested = properties.filter((property: unknown) => typeof property === 'object');
    const named = Object.fromEntries(
      nested.map(({ name, fetchPlan }: { name: string; fetchPlan: object }) => [name, fetchPlan]),
    );
    expect(named['delivery']).toMatchObject({ name: '_base' });
    // It adds to `_local`.
    expect(named['lines']).toMatchObject({ name: '_local' });
    expect(JSON.stringify(properties)).not.toContain('"entity"');
  });

  // Asserts contract/metadata.md#entities, contract/metadata.md#metadata.
  test('views are fetch plans to older clients (contract/decisions.md#34)', async () => {
    expect(await read('/entities/sales_Order/views')).toEqual(await read('/entities/sales_Order/fetchPlans'));
    expect(await read('/entities/sales_Order/views/order-list')).toEqual(orderList);
  });
});

describe('enums and datatypes (contract/metadata.md#enums, #datatypes)', () => {
  const status = (captions: readonly string[]) => ({
    name: 'sales.OrderStatus',
    values: ['NEW', 'CONFIRMED', 'SHIPPED', 'CLOSED'].map((name, at) => ({
      name,
      id: 10 * (at + 1),
      caption: captions[at],
    })),
  });

  // Asserts contract/decisions.md#62, contract/metadata.md#enums.
  test('an enum has its constants in order; ids keep their JSON type; captions are localized', async () => {
    const english = await read('/enums/sales.OrderStatus', { 'accept-language': 'en' });
    expect(english).toEqual(status(['New', 'Confirmed', 'Shipped', 'Closed']));
    const german = await read('/enums/sales.OrderStatus', { 'accept-language': 'de' });
    expect(german.values[0]).toEqual({ name: 'NEW', id: 10, caption: expect.not.stringMatching(/^New$/) });
    expect((await read('/enums/sales.CustomerGrade')).values.map(({ id }: { id: unknown }) => id)).toEqual([
      'B',
      'S',
      'G',
    ]);
  });

  // Asserts contract/metadata.md#enums.
  test('the list has every enum', async () => {
    const list = await read('/enums');
    expect(list).toContainEqual(await read('/enums/sales.OrderStatus'));
    expect(list.map(({ name }: { name: string }) => name)).toContain('sales.CustomerGrade');
  });

  // Asserts contract/metadata.md#datatypes, contract/metadata.md#enums.
  test('the datatypes have the members that the contract lists', async () => {
    const list: { id: string; name: string }[] = await read('/datatypes');
    const byId = Object.fromEntries(list.map(({ id, ...rest }) => [id, rest]));
    expect(Object.keys(byId).sort()).toEqual([
      ...['bigInteger', 'boolean', 'byteArray', 'char', 'date', 'dateTime', 'decimal', 'double', 'fileRef', 'float'],
      ...[
        'int',
        'json',
        'localDate',
        'localDateTime',
        'localTime',
        'long',
        'offsetDateTime',
        'offsetTime',
        'short',
        'string',
      ],
      ...['time', 'uri', 'uuid'],
    ]);
    const grouped = { groupingSeparator: '' };
    expect(byId).toMatchObject({
      date: { name: 'date', format: 'yyyy-MM-dd' },
      dateTime: { name: 'dateTime', format: "yyyy-MM-dd'T'HH:mm:ss.SSS" },
      time: { name: 'time', format: 'HH:mm:ss' },
      int: { name: 'int', format: '0', decimalSeparator: '', ...grouped },
      long: { name: 'long', format: '0', decimalSeparator: '', ...grouped },
      double: { name: 'double', format: '0.###', decimalSeparator: '.', ...grouped },
      decimal: { name: 'decimal', format: '0.####', decimalSeparator: '.', ...grouped },
    });
    for (const id of ['string', 'boolean', 'uuid', 'localDate', 'offsetDateTime', 'fileRef'])
      expect(byId[id]).toEqual({ name: id });
  });
});

describe('all of it', () => {
  // Asserts contract/conventions.md#bad-input, contract/errors.md#catalogue, contract/metadata.md#entities,
  // contract/metadata.md#enums, contract/metadata.md#fetch-plans.
  test.each([
    ['/entities/sales_Nothing', 'Entity not found', 'Entity sales_Nothing not found'],
    ['/entities/sales_Nothing/fetchPlans', 'Entity not found', 'Entity sales_Nothing not found'],
    ['/entities/sales_Nothing/views', 'Entity not found', 'Entity sales_Nothing not found'],
    ['/entities/sales_Nothing/fetchPlans/_local', 'Entity not found', 'Entity sales_Nothing not found'],
    [
      '/entities/sales_Order/fetchPlans/nothing',
      'Fetch plan not found',
      'Fetch plan nothing for metaClass sales_Order not found',
    ],
    ['/enums/sales.Nothing', 'Enum not found', 'Enum with class name sales.Nothing not found'],
    ['/enums/java.lang.String', 'Enum not found', 'Enum with class name java.lang.String not found'],
  ])('%s is not found', async (path, error, details) => {
    const response = await metadata(path);
    expect([response.status, response.json()]).toEqual([404, { error, details }]);
  });

  test.each(ROUTES)('%s has a tag, and 304 for a client that has it', async (route) => {
    const english = await metadata(route, { 'accept-language': 'en' });
    const tag = english.headers.get('etag') ?? '';
    expect([english.status, tag]).toEqual([200, expect.stringMatching(/^"[\w-]{22}(--\w+)?"$/)]);
    expect(english.headers.get('vary')).toContain('Accept-Language');
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`]) {
      const again = await metadata(route, { 'accept-language': 'en', 'if-none-match': known });
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', tag]);
    }
    expect((await metadata(route, { 'accept-language': 'en', 'if-none-match': '"other"' })).status).toBe(200);
  });

  // Asserts contract/conventions.md#locale.
  test('another language is another text with another tag', async () => {
    const tags = await Promise.all(
      ['en', 'de', 'zh-CN', 'zh-cn'].map(
        async (locale) => (await metadata('/entities', { 'accept-language': locale })).headers.get('etag') ?? '',
      ),
    );
    expect(new Set(tags.slice(0, 3)).size).toBe(3);
    expect(tags[3]).toBe(tags[2]);
  });

  // Asserts contract/configuration.md#configuration, contract/roles.md#rest-enabled.
  test.each(ROUTES)('%s: 401 without a token, 403 without rest.enabled, 405 for other methods, 406', async (route) => {
    expect((await send('GET', `/rest/metadata${route}`)).status).toBe(401);
    expect((await metadata(route, {}, 'nobody')).status).toBe(403);
    const posted = await as('admin', 'POST', `/metadata${route}`, { body: {} });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, expect.stringContaining('GET')]);
    expect((await metadata(route, { accept: 'text/html' })).status).toBe(406);
  });

  // Asserts contract/decisions.md#39, contract/metadata.md#capabilities, contract/metadata.md#enums.
  test('capabilities show whether inline plans are allowed, with a tag, to every user', async () => {
    const response = await as('nobody', 'GET', '/capabilities');
    expect([response.status, response.json()]).toEqual([200, { inlineFetchPlans: true }]);
    const headers = { 'if-none-match': response.headers.get('etag') ?? '' };
    expect((await as('nobody', 'GET', '/capabilities', { headers })).status).toBe(304);
  });
});
