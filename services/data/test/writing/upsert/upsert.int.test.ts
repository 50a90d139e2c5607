import { type DataFixture, startData } from '../../data-fixture.ts';
import { catalogue, HEARD, USERS } from './catalogue-application.ts';

let data: DataFixture;
beforeAll(async () => {
  data = await startData(catalogue, USERS);
});
afterAll(() => data.close());

type Headers = Record<string, string>;
const send = (method: string, path: string, body?: unknown, headers?: Headers, user = 'admin') =>
  data.send(user, method, `/entities/${path}`, body, headers);
const MERGE = { prefer: 'resolution=merge-duplicates' };
const IGNORE = { prefer: 'resolution=ignore-duplicates' };
let last = 0;
const text = (): string => `N${++last}`;
const events = async (): Promise<number> => (await data.query('SELECT 1 FROM events.outbox')).length;

// Asserts contract/writing.md#upsert.
test('a PUT with a key creates an instance, updates it, and leaves it unchanged', async () => {
  const code = text();
  const put = (body: object) => send('PUT', 'u_Customer?key=code&responseFetchPlan=_local', { code, ...body });
  const created = await put({ name: 'Ada' });
  const { id } = created.json();
  expect([created.status, created.headers.get('location')]).toEqual([
    201,
    expect.stringMatching(`/entities/u_Customer/${id}$`),
  ]);
  expect(created.json()).toMatchObject({ _status: 'created', _entityName: 'u_Customer', code, name: 'Ada' });
  const updated = await put({ name: 'Eve' });
  expect([updated.status, updated.headers.get('location')]).toEqual([200, null]);
  expect(updated.json()).toMatchObject({ _status: 'updated', id, name: 'Eve', version: 2 });
  HEARD.length = 0;
  const before = await events();
  const unchanged = await put({ name: 'Eve' });
  expect(unchanged.json()).toMatchObject({ _status: 'unchanged', id, version: 2 });
  expect([unchanged.status, HEARD, await events()]).toEqual([200, [], before]);
  expect(unchanged.headers.get('etag')).toMatch(/^"2\./);
});

test('an array has the statuses of its elements in their order, and one statement finds the stored instances', async () => {
  const codes = ['b', 'a', 'd', 'c'].map((each) => `${each}${text()}`);
  await send('POST', 'u_Customer', [
    { code: codes[0], name: 'x' },
    { code: codes[2], name: 'x' },
  ]);
  data.statements.length = 0;
  const response = await send(
    'PUT',
    'u_Customer?key=code&responseFetchPlan=_local',
    codes.map((code, at) => ({ code, name: at === 0 ? 'x' : 'y' })),
  );
  expect(response.json().map(({ code, _status }: Record<string, string>) => [code, _status])).toEqual([
    [codes[0], 'unchanged'],
    [codes[1], 'created'],
    [codes[2], 'updated'],
    [codes[3], 'created'],
  ]);
  expect([response.status, response.headers.get('location')]).toEqual([200, null]);
  expect(data.statements.filter((sql) => sql.includes('FOR NO KEY UPDATE'))).toHaveLength(1);
  expect((await send('PUT', 'u_Customer?key=code', [])).text).toBe('[]');
});

test('the preference resolution of POST merges or ignores duplicates by the id, or by the key', async () => {
  const code = text();
  const { id } = (await send('POST', 'u_Customer', { code, name: 'Ada' })).json();
  const merged = await send('POST', 'u_Customer', { id, code, name: 'Eve' }, MERGE);
  expect([merged.status, merged.headers.get('preference-applied')]).toEqual([200, 'resolution=merge-duplicates']);
  const ignored = await send('POST', 'u_Customer?key=code&responseFetchPlan=_local', { code, name: 'Zoe' }, IGNORE);
  expect([ignored.status, ignored.headers.get('preference-applied')]).toEqual([200, 'resolution=ignore-duplicates']);
  expect(ignored.json()).toMatchObject({ _status: 'unchanged', id, name: 'Eve', version: 2 });
  const other = await send('POST', 'u_Customer', [{ code: text() }, { id, name: 'Ida' }], MERGE);
  expect(other.json().map(({ _status }: Record<string, string>) => _status)).toEqual(['created', 'updated']);
  // Without the key the id alone identifies: the code is taken.
  expect(await send('POST', 'u_Customer', { code }, MERGE)).toMatchObject({ status: 409 });
  expect(await send('POST', 'u_Customer', { code })).toMatchObject({ status: 409 });
});

test('the attributes of an index, a one-to-one reference and the id are keys', async () => {
  const number = ++last;
  const order = () => send('PUT', 'u_Order?key=year,number', { number, year: 2026, notes: 'x' });
  expect([(await order()).status, (await order()).status]).toEqual([201, 200]);
  expect((await send('PUT', 'u_Order?key=number,year', { number, year: 2027 })).status).toBe(201);
  const { id } = (await send('POST', 'u_Customer', { code: text() })).json();
  const contract = (customer: object) => send('PUT', 'u_Contract?key=customer', { customer, terms: text() });
  expect([(await contract({ id })).status, (await contract({ id })).json()._status]).toEqual([201, 'updated']);
  const fresh = crypto.randomUUID();
  const byId = () => send('PUT', 'u_Customer?key=id', { id: fresh, code: `c${fresh.slice(0, 8)}` });
  expect([(await byId()).status, (await byId()).json()._status]).toEqual([201, 'unchanged']);
});

test('an id of several attributes, one with its own name, and one that is absent find and create instances', async () => {
  const statuses = async (path: string, body: object) =>
    Promise.all([await send('PUT', path, [body]), await send('PUT', path, [body])]).then((responses) =>
      responses.map((response) => response.json()[0]._status),
    );
  const rate = { id: { currency: 'EUR', day: 1 }, rate: 2 };
  expect(await statuses('u_Rate?key=id', rate)).toEqual(['created', 'unchanged']);
  expect((await send('PUT', 'u_Rate?key=id', { ...rate, id: { currency: 'EUR', day: 2 } })).status).toBe(201);
  expect(await statuses('u_Store?key=code', { code: 'S', name: 'x' })).toEqual(['created', 'unchanged']);
  expect(await statuses('u_Car?key=vin', { vin: 'V', plate: 'V', doors: 2 })).toEqual(['created', 'unchanged']);
  const absent = await send(
    'POST',
    'u_Customer',
    [
      { id: null, code: text() },
      { id: '', code: text() },
    ],
    MERGE,
  );
  expect([absent.status, absent.json()[1]._status]).toEqual([201, 'created']);
});

test('an index compares as it does in the database, and finds the rows of its condition alone', async () => {
  const [code, email, badge] = [text(), text(), text()];
  const put = (key: string, body: object) => send('PUT', `u_Customer?key=${key}`, body);
  const { id } = (await put('email', { code, email: `${email}@X.org` })).json();
  expect((await put('email', { email: `${email}@x.ORG`, name: 'y' })).json()).toMatchObject({ id, _status: 'updated' });
  const twice = [`${email}1@x`, `${email}2@x`, `${email}1@X`].map((each) => ({ code: text(), email: each }));
  const refused = await send('PUT', 'u_Customer?key=email', twice);
  expect([refused.status, refused.json().details]).toEqual([
    400,
    "'entities[0]' and 'entities[2]' have the same email",
  ]);
  await send('POST', 'u_Customer', { code: text(), badge, state: 'LEFT' });
  const active = await put('badge', { code: text(), badge, state: 'ACTIVE' });
  expect(active.json()._status).toBe('created');
  expect((await put('badge', { badge, name: 'z' })).json()).toMatchObject({ id: active.json().id, _status: 'updated' });
});

test('a deleted instance is not found, and its unique values are free', async () => {
  const code = text();
  const put = () => send('PUT', 'u_Customer?key=code', { code });
  const first = (await put()).json();
  await send('DELETE', `u_Customer/${first.id}`);
  const second = (await put()).json();
  expect([second._status, second.id === first.id]).toEqual(['created', false]);
  expect((await send('PUT', 'u_Customer?key=id', { id: first.id, code: text() })).status).toBe(409);
});

test('an instance of a descendant is updated by the key of the ancestor, and created as the entity of the path', async () => {
  const plate = text();
  const car = (await send('PUT', 'u_Asset?key=plate', { _entityName: 'u_Car', plate, doors: 3 })).json();
  expect(car).toMatchObject({ _entityName: 'u_Car', _status: 'created' });
  const updated = await send('PUT', 'u_Asset?key=plate&responseFetchPlan=_local', { plate, color: 'red' });
  expect(updated.json()).toMatchObject({ id: car.id, doors: 3, color: 'red', _status: 'updated' });
  expect((await send('PUT', 'u_Boat?key=plate', { plate, sails: 1 })).status).toBe(409);
});

test.each<[string, string, unknown, string]>([
  ['an unknown attribute', 'PUT u_Customer?key=nothing', {}, "Parameter 'key' must name the attributes"],
  ['an attribute that is not unique', 'PUT u_Customer?key=name', {}, "'id' or 'code' or 'pin' or 'email' or 'badge'"],
  ['a part of a constraint', 'PUT u_Order?key=number', {}, "'id' or 'number,year'"],
  ['more than a constraint', 'PUT u_Order?key=number,year,notes', {}, "Parameter 'key'"],
  ['no name', 'PUT u_Order?key=', {}, "Parameter 'key'"],
  ['a key that is named twice', 'PUT u_Order?key=id&key=id', {}, "'key'"],
  ['a key of POST without the preference', 'POST u_Customer?key=code', { code: 'x' }, "Parameter 'key' of POST"],
  ['no value of the key', 'PUT u_Customer?key=code', { name: 'x' }, "Attribute 'code' must have a valid value"],
  ['null in the key', 'PUT u_Customer?key=pin', [{ pin: null }], "Attribute 'entities[0].pin' must have"],
  ['no id', 'PUT u_Customer?key=id', [{ code: 'x' }], "Attribute 'entities[0].id' must have a valid value"],
  ['a wrong id', 'PUT u_Customer?key=id', { id: 'x' }, "Attribute 'id' is no valid id"],
  ['a wrong value of the key', 'PUT u_Order?key=number,year', { number: 'x', year: 1 }, "Attribute 'number' must be"],
  ['an element that is no object', 'PUT u_Customer?key=code', [1], "'entities[0]' must be a JSON object"],
  ['an element that is no object, by the id', 'PUT u_Customer?key=id', [[]], "'entities[0]"],
  ['two equal keys', 'PUT u_Customer?key=code', [{ code: 'q' }, { code: 'q' }], "'entities[0]' and 'entities[1]' have"],
])('%s returns 400 and says what is wrong', async (_case, request, body, details) => {
  const [method = '', path = ''] = request.split(' ');
  const response = await send(method, path, body);
  expect([response.status, response.json().details]).toEqual([400, expect.stringContaining(details)]);
});

test('an unknown resolution, and preconditions of an array, return 400', async () => {
  const unknown = await send('POST', 'u_Customer', { code: text() }, { prefer: 'resolution=merge' });
  expect([unknown.status, unknown.json().details]).toEqual([400, expect.stringContaining("Preference 'resolution'")]);
  const put = (body: unknown, headers: Headers) => send('PUT', 'u_Customer?key=code', body, headers);
  expect((await put([{ code: text() }], { 'if-match': '*' })).json().details).toContain('If-Match');
  expect((await put({ code: text() }, { 'if-none-match': '"1.x"' })).json().details).toContain('If-None-Match');
});

test('If-Match needs the version that is stored, and If-None-Match no instance', async () => {
  const code = text();
  const put = (headers: Headers) => send('PUT', 'u_Customer?key=code', { code, name: text() }, headers);
  expect((await put({ 'if-match': '*' })).status).toBe(412);
  expect((await put({ 'if-none-match': '*' })).status).toBe(201);
  expect((await put({ 'if-none-match': '*' })).status).toBe(412);
  expect((await put({ 'if-match': '"2.x"' })).status).toBe(412);
  expect((await put({ 'if-match': '"1.x"' })).status).toBe(200);
});

test('an upsert above the limit of batches is refused', async () => {
  const body = Array.from({ length: 1_001 }, () => ({ code: text() }));
  const response = await send('PUT', 'u_Customer?key=code', body);
  expect([response.status, response.json().error]).toEqual([400, 'Request limit exceeded']);
});

test('an id that belongs to another instance than the key returns 400', async () => {
  const [code, other] = [text(), text()];
  await send('POST', 'u_Customer', { code });
  const { id } = (await send('POST', 'u_Customer', { code: other })).json();
  const response = await send('PUT', 'u_Customer?key=code', { id, code });
  expect([response.status, response.json().details]).toEqual([400, expect.stringContaining("'id' is not the id")]);
});

test('a PUT without a key creates nothing', async () => {
  const body = [{ id: crypto.randomUUID(), code: text() }];
  expect((await send('PUT', 'u_Customer', body)).status).toBe(404);
  expect((await send('PUT', 'u_Customer', body, MERGE)).status).toBe(404);
});

test('minimal responses, idempotency keys and rehearsals are those of other writes', async () => {
  const code = text();
  const put = (body: object, headers: Headers) => send('PUT', 'u_Customer?key=code', { code, ...body }, headers);
  const rehearsed = await put({}, { prefer: 'tx=rollback' });
  expect([rehearsed.status, rehearsed.json().result._status, rehearsed.json().changes.length]).toEqual([
    201,
    'created',
    1,
  ]);
  const minimal = await put({ name: 'a' }, { prefer: 'return=minimal' });
  expect([minimal.status, minimal.text, minimal.headers.get('etag')]).toEqual([
    201,
    '',
    expect.stringMatching(/^"1\./),
  ]);
  expect(await put({ name: 'b' }, { prefer: 'return=minimal' })).toMatchObject({ status: 204, text: '' });
  const key = { 'idempotency-key': text() };
  const first = await put({ name: 'c' }, key);
  const again = await put({ name: 'c' }, key);
  expect([again.text, again.headers.get('idempotency-replayed')]).toEqual([first.text, 'true']);
  expect(first.json()._status).toBe('updated');
  const whole = await put({ name: 'd' }, { prefer: 'return=representation, resolution=merge-duplicates' });
  expect(whole.json()).toMatchObject({ name: 'd', _status: 'updated' });
  expect(whole.headers.get('preference-applied')).toBe('resolution=merge-duplicates, return=representation');
});

describe('rights', () => {
  const put = (user: string, body: unknown, key = 'code', headers = {}) =>
    send('PUT', `u_Customer?key=${key}`, body, headers, user);

  test('each element needs the right of what happens to it', async () => {
    const [stored, fresh] = [text(), text()];
    await send('POST', 'u_Customer', { code: stored });
    expect((await put('creator', { code: stored, name: 'x' })).json().error).toBe('Updating forbidden');
    expect((await put('creator', { code: fresh })).status).toBe(201);
    expect((await put('creator', { code: stored }, 'code', IGNORE)).json()._status).toBe('unchanged');
    expect((await put('updater', { code: stored, name: 'x' })).json()._status).toBe('updated');
    expect((await put('updater', [{ code: stored, name: 'y' }, { code: text() }])).json().error).toBe(
      'Creation forbidden',
    );
    expect((await put('updater', { code: text() })).status).toBe(403);
  });

  // Asserts contract/conventions.md#nothing-leaks.
  test('a row that the caller may not see is refused as by a POST, with every resolution', async () => {
    const [code, free] = [text(), text()];
    const { id } = (await send('POST', 'u_Customer', { code, name: 'Secret' })).json();
    const post = await send('POST', 'u_Customer', { code }, {}, 'modest');
    for (const headers of [{}, MERGE, IGNORE])
      for (const body of [{ code, name: 'x' }, [{ code: free }, { code, name: 'x' }]]) {
        const response = await put('modest', body, 'code', headers);
        expect([response.status, response.text]).toEqual([409, post.text]);
      }
    const byId = await put('modest', { id, code: text() }, 'id');
    expect([byId.status, byId.json().error]).toEqual([409, 'Entity already exists']);
    expect((await put('modest', { code }, 'code', { 'if-match': '*' })).status).toBe(412);
    expect((await put('blind', { code: (await send('GET', `u_Customer/${id}`)).json().code })).status).toBe(409);
    expect(await data.query(`SELECT version, name FROM u.customer WHERE code = '${code}'`)).toEqual([
      { version: 1, name: 'Secret' },
    ]);
  });

  test('a row is not found by a reference to an instance that the caller may not see', async () => {
    const { id } = (await send('POST', 'u_Customer', { code: text(), name: 'Secret' })).json();
    await send('POST', 'u_Contract', { customer: { id }, terms: 'x' });
    const body = { customer: { id }, terms: 'y' };
    const refused = await send('PUT', 'u_Contract?key=customer', body, {}, 'modest');
    const post = await send('POST', 'u_Contract', body, {}, 'modest');
    expect([refused.status, refused.text]).toEqual([409, post.text]);
    // A reference to a deleted instance is shown.
    const deleted = (await send('POST', 'u_Customer', { code: text() })).json().id;
    const contract = { customer: { id: deleted }, terms: 'x' };
    await send('POST', 'u_Contract', contract);
    await send('DELETE', `u_Customer/${deleted}`);
    const found = await send('PUT', 'u_Contract?key=customer', contract, {}, 'modest');
    expect([found.status, found.json()._status]).toEqual([200, 'unchanged']);
  });

  test('a key with an attribute that the caller may not view is as one that does not exist', async () => {
    const hidden = await put('writer', { pin: text() }, 'pin');
    const unknown = await put('writer', { pin: text() }, 'nip');
    expect([hidden.status, hidden.text]).toEqual([400, unknown.text]);
    expect(hidden.json().details).toContain("'id' or 'code' or 'email'");
  });

  test('a key with an attribute that the caller may view and not modify finds, and does not create', async () => {
    const email = `${text()}@x`;
    await send('POST', 'u_Customer', { code: text(), email });
    const found = await put('writer', { email, name: 'x' }, 'email');
    expect([found.json()._status, found.headers.get('x-ignored')]).toEqual(['updated', 'body.email']);
    const refused = await put('writer', { email: `${text()}@x`, code: text() }, 'email');
    expect([refused.status, refused.json().details]).toEqual([403, expect.stringContaining("Attribute 'email'")]);
  });
});

// Asserts contract/writing.md#upsert-references.
describe('references by key', () => {
  test('an object with the attributes of a unique constraint is the reference to its instance, at every level', async () => {
    const [code, tag, number] = [text(), text(), ++last];
    const country = String.fromCharCode(97 + (last % 26), 98);
    await send('POST', 'u_Country', { code: country, name: 'x' });
    await send('POST', 'u_Customer', { code });
    await send('POST', 'u_Tag', [{ name: tag }, { name: `${tag}b` }]);
    const body = {
      number,
      year: 2026,
      customer: { code },
      tags: [{ name: tag }, { name: `${tag}b` }, { name: tag }],
      lines: [{ position: 1, country: { code: country } }],
    };
    const plan = {
      entity: 'u_Order',
      properties: [
        { name: 'customer', fetchPlan: '_local' },
        { name: 'tags', fetchPlan: '_local' },
        { name: 'lines', fetchPlan: { properties: [{ name: 'country', fetchPlan: '_local' }] } },
      ],
    };
    const path = `u_Order?key=number,year&responseFetchPlan=${encodeURIComponent(JSON.stringify(plan))}`;
    const created = (await send('PUT', path, body)).json();
    expect(created).toMatchObject({ customer: { code }, lines: [{ country: { code: country } }] });
    expect(created.tags.map(({ name }: { name: string }) => name).sort()).toEqual([tag, `${tag}b`]);
    expect((await send('PUT', path, body)).json()).toMatchObject({ _status: 'unchanged', id: created.id });
    // The reference is a key, too.
    const contract = await send('PUT', 'u_Contract?key=customer', { customer: { code }, terms: 'x' });
    expect(contract.status).toBe(201);
    const again = await send('PUT', 'u_Contract?key=customer', { customer: { code }, terms: 'y' });
    expect(again.json()).toMatchObject({ _status: 'updated', id: contract.json().id });
  });

  test('a target that is unknown or that the caller may not see returns 400 naming the attribute', async () => {
    await send('POST', 'u_Country', { code: 'zz', name: 'Secret' });
    const put = (country: unknown, user = 'admin') =>
      send('PUT', 'u_Customer?key=code', [{ code: text(), country }], {}, user);
    const unknown = await put({ code: 'zx' }, 'modest');
    expect([unknown.status, unknown.json().details]).toEqual([
      400,
      "Referenced entity for property 'entities[0].country' is missing",
    ]);
    expect(await put({ code: 'zz' }, 'modest')).toMatchObject({ status: 400, text: unknown.text });
    expect((await put({ code: 'zz' }, 'writer')).status).toBe(201);
    const wrong = await put({ name: 'x' });
    expect([wrong.status, wrong.json().details]).toEqual([
      400,
      "Attribute 'entities[0].country' must have 'id' or 'code' of a u_Country",
    ]);
    // Other requests need the id.
    expect((await send('POST', 'u_Customer', { code: text(), country: { code: 'zz' } })).status).toBe(400);
  });
});

// Asserts contract/writing.md#upsert-children.
describe('children by key', () => {
  const plan = encodeURIComponent(
    JSON.stringify({ entity: 'u_Order', properties: [{ name: 'lines', fetchPlan: '_local' }] }),
  );
  const put = (lines: unknown, number: number, user = 'admin') =>
    send('PUT', `u_Order?key=number,year&responseFetchPlan=${plan}`, { number, year: 1, lines }, {}, user);
  const idsOf = (response: { json(): { lines?: { id: string; position: number }[] } }) =>
    new Map((response.json().lines ?? []).map(({ id, position }) => [position, id]));

  test('a child without an id is the stored one of the owner with the same unique attributes', async () => {
    const number = ++last;
    const first = await put(
      [
        { position: 1, quantity: 1 },
        { position: 2, quantity: 1 },
      ],
      number,
    );
    const second = await put(
      [
        { position: 2, quantity: 5 },
        { position: 3, quantity: 1 },
      ],
      number,
    );
    expect(idsOf(second).get(2)).toBe(idsOf(first).get(2));
    expect([...idsOf(second).keys()].sort()).toEqual([2, 3]);
    expect(
      (
        await put(
          [
            { position: 3, quantity: 1 },
            { position: 2, quantity: 5 },
          ],
          number,
        )
      ).json()._status,
    ).toBe('unchanged');
    const twice = await put([{ position: 2 }, { position: 2 }], number);
    expect([twice.status, twice.json().details]).toEqual([400, expect.stringContaining("'lines[1]' and another")]);
  });

  test('a child of another owner, and one that the caller may not see, are no children of the owner', async () => {
    const [one, two, serial] = [++last, ++last, text()];
    await put([{ serial }], one);
    expect((await put([], two)).status).toBe(201);
    expect((await put([{ serial }], two)).status).toBe(409);
    await put([{ position: 1, quantity: 5000 }], two);
    expect((await put([{ position: 1, quantity: 2 }], two, 'modest')).status).toBe(409);
  });
});

test('fifty concurrent upserts end as one row, with and without a stored one', async () => {
  const run = async (code: string) => {
    const all = Array.from({ length: 50 }, (_, at) => send('PUT', 'u_Customer?key=code', { code, name: `n${at}` }));
    const responses = await Promise.all(all);
    expect(responses.filter(({ status }) => status !== 200 && status !== 201)).toEqual([]);
    expect(new Set(responses.map((response) => response.json().id)).size).toBe(1);
    return responses.filter(({ status }) => status === 201).length;
  };
  const code = text();
  expect([await run(code), await run(code)]).toEqual([1, 0]);
  expect(await data.query(`SELECT version FROM u.customer WHERE code = '${code}'`)).toEqual([{ version: 100 }]);
  expect(data.errors).toEqual([]);
});

test('concurrent arrays with the same keys in other orders end as one row for each key', async () => {
  const codes = Array.from({ length: 8 }, () => text());
  const run = (at: number) => {
    const order = at % 2 === 0 ? codes : codes.toReversed();
    const shifted = [...order.slice(at % 8), ...order.slice(0, at % 8)];
    return send(
      'PUT',
      'u_Customer?key=code',
      shifted.map((code) => ({ code, name: `n${at}` })),
    );
  };
  const single = (at: number) => send('POST', 'u_Customer?key=code', { code: codes[at] }, IGNORE);
  const responses = await Promise.all(Array.from({ length: 20 }, (_, at) => (at % 3 === 2 ? single(at % 8) : run(at))));
  expect(responses.filter(({ status }) => status !== 200 && status !== 201)).toEqual([]);
  const rows = await data.query(`SELECT code FROM u.customer WHERE code = ANY('{${codes.join()}}')`);
  expect(rows).toHaveLength(8);
  expect(data.errors).toEqual([]);
});
