import { type DataFixture, startData } from '../../data-fixture.ts';
import { shop } from '../../shop-application.ts';

let data: DataFixture;
beforeAll(async () => {
  data = await startData(shop, { admin: { resourceRoles: ['system-full-access'] } });
});
afterAll(() => data.close());

const admin = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
  data.send('admin', method, path, body, headers);
const create = async (entity: string, body: unknown): Promise<string> => {
  const response = await admin('POST', `/entities/${entity}`, body);
  expect([response.status, response.text]).toEqual([201, expect.any(String)]);
  return response.json().id;
};
const rowsOf = async (table: string): Promise<number> =>
  Number((await data.query<{ n: string }>(`SELECT count(*) AS n FROM ${table}`))[0]?.n);

describe('refused creates change nothing', () => {
  const item = (path: string, message: string, constraint: string, invalidValue: unknown) => ({
    message,
    messageTemplate: constraint.includes(' ') ? constraint : `{jakarta.validation.constraints.${constraint}.message}`,
    path,
    invalidValue,
  });

  // Asserts contract/decisions.md#17, contract/errors.md#catalogue, contract/writing.md#database-errors,
  // contract/writing.md#file-attributes, contract/writing.md#validation.
  test.each<[string, string, Record<string, unknown>, unknown[]]>([
    ['a missing mandatory attribute', 't_Customer', {}, [item('name', 'may not be null', 'NotNull', null)]],
    ['a null', 't_Customer', { name: null }, [item('name', 'may not be null', 'NotNull', null)]],
    ['a blank text', 't_Delivery', { carrier: '  ' }, [item('carrier', 'must not be blank', 'NotBlank', '  ')]],
    [
      'an address without @',
      't_Customer',
      { name: 'x', email: 'nobody' },
      [item('email', 'not a well-formed email address', 'Email', 'nobody')],
    ],
    [
      'tomorrow for a date in the past',
      't_Customer',
      { name: 'x', birthDate: '2026-11-21' },
      [item('birthDate', 'must be in the past', 'Past', '2026-11-21')],
    ],
    [
      'a value below the minimum',
      't_Customer',
      { name: 'x', limit: -0.01 },
      [item('limit', 'must be greater than or equal to 0', 'DecimalMin', -0.01)],
    ],
    [
      'a value that is not positive',
      't_Line',
      { quantity: 0, order: { id: crypto.randomUUID() } },
      [item('quantity', 'must be greater than 0', 'Positive', 0)],
    ],
    [
      'a value above the maximum',
      't_Discount',
      { percent: 100.5, line: { id: crypto.randomUUID() } },
      [item('percent', 'must be less than or equal to 100', 'DecimalMax', 100.5)],
    ],
    [
      'more digits than the attribute has',
      't_Customer',
      { name: 'x', limit: 1.005 },
      [item('limit', 'numeric value out of bounds (<7 digits>.<2 digits> expected)', 'Digits', 1.005)],
    ],
    [
      'a text that is too long',
      't_Everything',
      { shortText: '123456' },
      [item('shortText', 'size must be between 0 and 5', 'Size', '123456')],
    ],
    [
      'a key that is too short',
      't_Warehouse',
      { code: 'X', name: 'x' },
      [item('code', 'size must be between 2 and 10', 'Size', 'X')],
    ],
    [
      'a part of a composite key that is too long (contract/decisions.md#50)',
      't_Rate',
      { id: { currency: 'EURO', validOn: '2026-01-01' }, rate: 1 },
      [item('id.currency', 'size must be between 0 and 3', 'Size', 'EURO')],
    ],
    [
      'a pattern inside an embedded attribute',
      't_Customer',
      { name: 'x', address: { zip: 'abc' } },
      [item('address.zip', 'must match "\\d+"', 'Pattern', 'abc')],
    ],
    [
      'an element that is too long',
      't_Customer',
      { name: 'x', tags: ['ok', 'toolong'] },
      [item('tags[1]', 'size must be between 0 and 5', 'Size', 'toolong')],
    ],
    ['a rule of the application', 't_Everything', { even: 3 }, [item('even', 'Epic fail', 'Epic fail', 3)]],
    [
      'a rule with its own text',
      't_Everything',
      { later: '2020-01-01' },
      [item('later', 'Must be in the future', 'Must be in the future', '2020-01-01')],
    ],
  ])('%s: 400 with the items of contract/writing.md#validation', async (_case, entity, body, items) => {
    // References are checked first, so the parents of lines and discounts must exist.
    const sent = { ...body };
    if ('order' in sent || 'line' in sent) {
      const customer = await create('t_Customer', { name: 'x' });
      const order = await create('t_Order', { number: crypto.randomUUID().slice(0, 10), customer: { id: customer } });
      if ('order' in sent) sent['order'] = { id: order };
      else sent['line'] = { id: await create('t_Line', { quantity: 1, order: { id: order } }) };
    }
    const response = await admin('POST', `/entities/${entity}`, sent);
    expect([response.status, response.json()]).toEqual([400, items]);
  });

  // Asserts contract/writing.md#validation.
  test('all violations are returned together', async () => {
    const response = await admin('POST', '/entities/t_Customer', { email: 'x', limit: -1 });
    expect(
      response
        .json()
        .map(({ path }: { path: string }) => path)
        .sort(),
    ).toEqual(['email', 'limit', 'name']);
  });

  // Asserts contract/writing.md#validation.
  test('a class-level rule has the empty path', async () => {
    const customer = { id: await create('t_Customer', { name: 'x' }) };
    const response = await admin('POST', '/entities/t_Order', { number: 'N1', customer, state: 'CLOSED' });
    expect([response.status, response.json()]).toEqual([
      400,
      [item('', 'Closed order must have lines', 'Closed order must have lines', null)],
    ]);
  });

  // Asserts contract/decisions.md#71, contract/errors.md#catalogue, contract/writing.md#body-errors.
  test.each<[string, Record<string, unknown>, string, string]>([
    [
      'an unknown enum constant',
      { state: 'X' },
      'An error occurred while parsing enum. Class [class t.State]. Value [X].',
      "Attribute 'state' must be one of OPEN, CLOSED",
    ],
    [
      'a reference that is not an object',
      { customer: 'x' },
      "Attribute 'customer' refers to an entity. Property value must be a JSON object literal",
      "Attribute 'customer' must be a JSON object",
    ],
    [
      'a collection that is not an array',
      { lines: {} },
      "Attribute 'lines' refers to a collection. Property value must be a JSON array literal",
      "Attribute 'lines' must be a JSON array",
    ],
    [
      'null for mandatory children',
      { lines: null },
      "Attribute 'lines' refers to a collection. Property value must be a JSON array literal",
      "Attribute 'lines' must be a JSON array",
    ],
    [
      'a reference with an invalid id',
      { customer: { id: 7 } },
      'Cannot deserialize an entity from JSON',
      "Attribute 'customer.id' is no valid id of t_Customer",
    ],
  ])('%s: 400 with the text of the contract', async (_case, values, error, details) => {
    const response = await admin('POST', '/entities/t_Order', { number: 'N2', ...values });
    expect([response.status, response.json()]).toEqual([400, { error, details }]);
  });

  // Asserts contract/decisions.md#8, contract/writing.md#body-errors.
  test('a text for an embedded attribute returns 400 with its name', async () => {
    const response = await admin('POST', '/entities/t_Customer', { name: 'x', address: 'Ulm' });
    expect([response.status, response.json().details]).toEqual([400, "Attribute 'address' must be a JSON object"]);
  });

  // Asserts contract/errors.md#catalogue, contract/writing.md#update.
  test.each([{}, { id: crypto.randomUUID() }])('a reference without a target (%j): 400', async (customer) => {
    const response = await admin('POST', '/entities/t_Order', { number: 'N3', customer });
    expect([response.status, response.json()]).toEqual([
      400,
      { error: 'Entity creation failed', details: "Referenced entity for property 'customer' is missing" },
    ]);
  });

  test('a reference to a soft-deleted instance is allowed', async () => {
    const id = await create('t_Customer', { name: 'gone' });
    await admin('DELETE', `/entities/t_Customer/${id}`);
    await create('t_Order', { number: 'N4', customer: { id } });
  });

  // Asserts contract/decisions.md#17, contract/errors.md#catalogue, contract/writing.md#database-errors,
  // contract/writing.md#file-attributes.
  test('a unique value in use: 409 with entity and attribute', async () => {
    await create('t_Category', { code: 'TWICE' });
    const response = await admin('POST', '/entities/t_Category', { code: 'TWICE' });
    expect([response.status, response.json()]).toEqual([
      409,
      { error: 'Unique constraint violation', details: 'Entity t_Category: another instance has the same code' },
    ]);
  });

  // Asserts contract/conventions.md#strict-json, contract/decisions.md#8, contract/errors.md#catalogue,
  // contract/writing.md#body, contract/writing.md#body-errors, contract/writing.md#update.
  test.each([
    ['', 'Malformed request JSON data structure'],
    ['{', 'Malformed request JSON data structure'],
    ['{name: 1}', 'Malformed request JSON data structure'],
    ['[1,]', 'Malformed request JSON data structure'],
    ['5', 'Cannot deserialize an entity from JSON'],
    ['null', 'Cannot deserialize an entity from JSON'],
    ['[5]', 'Cannot deserialize an entity from JSON'],
    ['\ufeff', 'Malformed request JSON data structure'],
  ])('a body of %j: 400', async (body, error) => {
    const response = await admin('POST', '/entities/t_Customer', body);
    expect([response.status, response.json().error]).toEqual([400, error]);
  });

  // Asserts contract/errors.md#catalogue.
  test('unknown entities, embeddables and DTOs: 404', async () => {
    for (const entity of ['t_No', 't_Address', 't_Quote', 'constructor', '__proto__']) {
      const response = await admin('POST', `/entities/${entity}`, {});
      expect([response.status, response.json()]).toEqual([
        404,
        { error: 'Entity not found', details: `Entity ${entity} not found` },
      ]);
    }
  });

  // Asserts contract/errors.md#catalogue, contract/writing.md#response.
  test('an unknown response plan is refused before anything is written', async () => {
    const before = await rowsOf('t.customer');
    const response = await admin('POST', '/entities/t_Customer?responseFetchPlan=nope', { name: 'x' });
    expect([response.status, response.json().error]).toEqual([400, 'Fetch plan not found']);
    expect(await rowsOf('t.customer')).toBe(before);
  });

  // Asserts contract/decisions.md#8, contract/writing.md#response.
  test.each(['responseFetchPlan', 'responseView'])(
    '%s given twice is refused before anything is written',
    async (name) => {
      const before = await rowsOf('t.customer');
      const response = await admin('POST', `/entities/t_Customer?${name}=_local&${name}=_base`, { name: 'x' });
      expect([response.status, response.json()]).toEqual([
        400,
        { error: 'Invalid parameter value', details: `Parameter '${name}' must be given once` },
      ]);
      expect(await rowsOf('t.customer')).toBe(before);
    },
  );

  test('a body that is too large: 413', async () => {
    const response = await admin('POST', '/entities/t_Customer', { name: 'x'.repeat(17 * 1024 * 1024) });
    expect(response.status).toBe(413);
  });
});
