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
const read = async (entity: string, id: string, plan = '_local') =>
  (await admin('GET', `/entities/${entity}/${id}?returnNulls=true&fetchPlan=${encodeURIComponent(plan)}`)).json();
const rowsOf = async (table: string): Promise<number> =>
  Number((await data.query<{ n: string }>(`SELECT count(*) AS n FROM ${table}`))[0]?.n);

describe('values of every type', () => {
  const values = {
    text: 'Grüße – 上海 \u{1F69A} "quoted" \\ <b>\n',
    shortText: '上海\u{1F69A}ab',
    number: -2147483648,
    ratio: 0.1,
    flag: true,
    ident: '6b1b36c2-2f0e-4a54-8f0e-0d0f5f3d7a11',
    day: '2026-02-28',
    moment: '2026-03-04T10:20:30.123',
    stamp: '2026-03-04T10:20:30.000',
    clock: '07:45:00',
    bytes: 'AP8QgA==',
    file: 'fs://2026/03/04/6b1b36c2.pdf?name=a%20b.pdf',
    link: 'https://example.com/?q=1',
    state: 'CLOSED',
    grade: 'BRONZE',
  };

  // Asserts contract/writing.md#database-errors, contract/writing.md#file-attributes.
  test('are returned as they were sent', async () => {
    const id = await create('t_Everything', values);
    expect(await read('t_Everything', id)).toMatchObject(values);
  });

  // Asserts contract/decisions.md#15, contract/decisions.md#49, contract/instances.md#values,
  // contract/writing.md#body, contract/writing.md#update.
  test('64-bit integers and decimals keep every digit, as numbers and as texts', async () => {
    for (const body of [
      '{"big":9223372036854775807,"money":12345678901234.5678}',
      '{"big":"9223372036854775807","money":"12345678901234.5678"}',
    ]) {
      const response = await admin('POST', '/entities/t_Everything?responseFetchPlan=_local', body);
      expect(response.status).toBe(201);
      expect(response.text).toMatch(/"big":\s*9223372036854775807\b/);
      expect(response.text).toMatch(/"money":\s*12345678901234\.5678\b/);
    }
  });

  // Asserts contract/decisions.md#3, contract/instances.md#values.
  test('lenient forms are accepted: short times, dates with zone offsets, UUIDs without hyphens, blank dates', async () => {
    const id = await create('t_Everything', {
      moment: '2026-03-04T10:20',
      clock: '07:45',
      day: '2026-02-28+02:00',
      ident: '6B1B36C22F0E4A548F0E0D0F5F3D7A11',
      instant: '2026-03-04T10:20:30.5+02:00',
      stamp: '',
      number: '17',
      flag: 'TRUE',
    });
    const stored = await read('t_Everything', id);
    expect(stored).toMatchObject({
      moment: '2026-03-04T10:20:00.000',
      clock: '07:45:00',
      day: '2026-02-28',
      ident: '6b1b36c2-2f0e-4a54-8f0e-0d0f5f3d7a11',
      stamp: null,
      number: 17,
      flag: true,
    });
    expect(new Date(stored.instant).toISOString()).toBe('2026-03-04T08:20:30.500Z');
  });

  // Asserts contract/decisions.md#30, contract/roles.md#attributes-write, contract/writing.md#update.
  test('read-only, transient and unknown members are ignored', async () => {
    const id = await create('t_Everything', { fixed: 'x', unstored: 'x', nobody: { a: [1] }, _instanceName: 'x' });
    expect(await read('t_Everything', id)).toMatchObject({ fixed: null });
  });

  // Asserts contract/decisions.md#49, contract/decisions.md#8, contract/writing.md#body-errors,
  // contract/writing.md#database-errors, contract/writing.md#file-attributes.
  test.each<[string, unknown, string]>([
    ['text', 5, 'a text'],
    ['text', true, 'a text'],
    ['text', {}, 'a text'],
    ['text', [], 'a text'],
    ['text', 'a\u0000b', 'NUL'],
    ['number', 1.5, '32-bit integer'],
    ['number', '1e3', '32-bit integer'],
    ['number', 2147483648, '32-bit integer'],
    ['number', '', '32-bit integer'],
    ['number', true, '32-bit integer'],
    ['big', '9223372036854775808', '64-bit integer'],
    ['ratio', 'much', 'a number'],
    ['money', 'much', 'a decimal number'],
    ['flag', 'yes', 'true or false'],
    ['flag', 1, 'true or false'],
    ['ident', 'x', 'a UUID'],
    ['day', '31.12.2026', 'YYYY-MM-DD'],
    ['day', '2026-02-30', 'YYYY-MM-DD'],
    ['day', 20260228, 'YYYY-MM-DD'],
    ['moment', '2026-03-04', 'YYYY-MM-DDTHH:mm:ss'],
    ['instant', '2026-03-04T10:20:30', 'with an offset'],
    ['clock', '25:99', 'HH:mm:ss'],
    ['bytes', 'not base64', 'Base64'],
    ['file', 'nonsense', 'file reference'],
    ['grade', 'G', 'BRONZE, GOLD'],
    ['state', 10, 'OPEN, CLOSED'],
  ])('%s: %j is refused with a text that names the attribute and the type', async (name, value, expected) => {
    const before = await rowsOf('t.everything');
    const response = await admin('POST', '/entities/t_Everything', { [name]: value });
    expect(response.status).toBe(400);
    expect(Object.keys(response.json()).sort()).toEqual(['details', 'error']);
    expect(response.json().details).toContain(`'${name}'`);
    expect(response.json().details).toContain(expected);
    expect(await rowsOf('t.everything')).toBe(before);
  });
});
