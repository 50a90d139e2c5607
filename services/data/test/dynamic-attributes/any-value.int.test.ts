import { DYNAMIC_ATTRIBUTE_TYPES } from '@lintel/metadata';
import { cases, fc } from '@lintel/testkit/properties';
import { type DataFixture, startData } from '../data-fixture.ts';
import { shop } from '../shop-application.ts';

let data: DataFixture;
let id: string;
const send = (method: string, path: string, body: unknown) => data.send('admin', method, `/entities/${path}`, body);

beforeAll(async () => {
  data = await startData(shop, { admin: { resourceRoles: ['system-full-access'] } });
  const definitions = DYNAMIC_ATTRIBUTE_TYPES.flatMap((dataType) =>
    [false, true].map((isCollection) => ({
      name: dataType,
      code: `${dataType.toLowerCase()}${isCollection ? 's' : ''}`,
      dataType,
      isCollection,
      ...(dataType === 'ENTITY' ? { entityClass: 't_Tag' } : {}),
      ...(dataType === 'ENUMERATION' ? { enumeration: 'A' } : {}),
    })),
  );
  const category = { name: 'All', entityType: 't_Tag', categoryAttrs: definitions };
  expect((await send('POST', 'dynat_Category', category)).status).toBe(201);
  id = (await send('POST', 't_Tag', { name: 'target' })).json().id;
});
afterAll(() => data.close());

const NUMBERS = [
  '0',
  '-0',
  '1e400',
  '-1e-400',
  '1e9999',
  '2147483648',
  '1.50',
  '12345678901234567890.120',
  '1E5',
  '.5',
];
const TEXTS = ['', ' ', '\u0000', '\ud800', '😀', 'true', 'TRUE', 'null', "'; DROP TABLE x; --", '+', '2024-02-29'];
const TIMES = [
  '0001-01-01T00:00',
  '9999-12-31T23:59:59.999',
  '2024-02-30',
  '2026-01-01T24:00',
  '-1-01-01',
  '10000-01-01',
];

/** JSON texts, also of numbers that are not exact in JavaScript. */
const scalar = fc.oneof(
  fc.constantFrom(...NUMBERS.filter((text) => !text.startsWith('.'))),
  fc.constantFrom(...NUMBERS, ...TEXTS, ...TIMES).map((text) => JSON.stringify(text)),
  fc.string().map((text) => JSON.stringify(text)),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.constantFrom('null', 'true', 'false', '{}', '[]', '{"id":null}', '{"id":1}', '{"id":"x"}', 'target'),
);
const json = fc
  .oneof(
    scalar,
    fc.array(scalar, { maxLength: 3 }).map((items) => `[${items.join(',')}]`),
  )
  .map((text) => text.replaceAll('target', `{"id":"${id}"}`));

test('a value is either stored and read back unchanged, or refused with 400', async () => {
  const codes = DYNAMIC_ATTRIBUTE_TYPES.flatMap((type) => [type.toLowerCase(), `${type.toLowerCase()}s`]);
  let number = 0;
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...codes), json, async (code, value) => {
      number += 1;
      const sent = `{"name":"tag ${number}","+${code}":${value}}`;
      const created = await send('POST', 't_Tag', sent);
      if (created.status === 400) {
        expect(created.json().error).not.toBe('Malformed request JSON data structure');
        return;
      }
      expect([sent, created.status, created.text]).toEqual([sent, 201, expect.any(String)]);
      const read = await data.send('admin', 'GET', `/entities/t_Tag/${created.json().id}?dynamicAttributes=true`);
      expect(read.json()[`+${code}`]).toEqual(created.json()[`+${code}`]);
      // A response can be sent back as an update; it changes nothing.
      const again = created.json()[`+${code}`];
      const exact = new RegExp(`"\\+${code}":(.*)\\}$`).exec(created.text)?.[1];
      if (again === undefined || exact === undefined) return;
      const updated = await send('PUT', `t_Tag/${created.json().id}?responseFetchPlan=_local`, `{"+${code}":${exact}}`);
      expect([sent, updated.status, updated.json().version]).toEqual([sent, 200, 1]);
    }),
    cases(200),
  );
  expect(data.errors).toEqual([]);
});
