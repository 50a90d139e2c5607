import type { ReportParameter } from '@lintel/application';
import { buildModel, embeddable, embedded, enumeration, integer, keyedEntity, standardEntity } from '@lintel/metadata';
import { type ExactJson, readExactJson } from '@lintel/query';
import type { SubmittedParameter } from './parse-run-request.ts';
import { resolveParameters } from './resolve-parameters.ts';

const ONE = '11111111-1111-4111-8111-111111111111';
const TWO = '22222222-2222-4222-8222-222222222222';
const model = buildModel({
  entities: [
    standardEntity('x_Product', { attributes: {} }),
    embeddable('x_LineKey', { attributes: { id: integer(), line: integer() } }),
    keyedEntity('x_Line', { key: 'id', attributes: { id: embedded('x_LineKey') } }),
  ],
  enums: [enumeration('x.Grade', { GOLD: 'G', SILVER: 'S' })],
  fetchPlans: [],
});
const ROWS = { x_Product: [{ id: ONE }, { id: TWO }], x_Line: [{ id: readExactJson('{"id":7,"line":1}') }] };

/** The value of the parameter, of a run with `{"name": "p", "value": <json>}`. */
async function resolve(parameter: Partial<ReportParameter>, json: string, values: SubmittedParameter['values'] = null) {
  const { p } = await resolveParameters(
    [{ alias: 'p', name: 'P', type: 'TEXT', ...parameter }],
    new Map([['p', { value: readExactJson(json) as ExactJson, values }]]),
    {
      model,
      access: { allows: (entity) => entity !== 'x_Line' || parameter.hidden !== true },
      data: {
        async *load({ entity }) {
          yield* ROWS[entity as keyof typeof ROWS];
        },
      },
      caller: { username: 'ann', locale: 'en', now: 0, timeZone: 'UTC' },
      validate: undefined,
    },
  );
  return p;
}
const PRODUCT = { type: 'ENTITY', entity: 'x_Product' } as const;
const PRODUCTS = { type: 'ENTITY_LIST', entity: 'x_Product' } as const;
const LINE = { type: 'ENTITY', entity: 'x_Line' } as const;
const GRADE = { type: 'ENUMERATION', enumeration: 'x.Grade' } as const;
const KEY = Buffer.from('{"id":7,"line":1}').toString('base64url');

// Asserts contract/decisions.md#65, contract/reports.md#reports.
test.each<[Partial<ReportParameter>, string, unknown]>([
  [{ type: 'TEXT' }, '"a"', 'a'],
  [{ type: 'TEXT' }, '12.50', '12.50'],
  [{ type: 'NUMERIC' }, '12345678901234567890.125', '12345678901234567890.125'],
  [{ type: 'NUMERIC' }, '"12.5"', '12.5'],
  [{ type: 'BOOLEAN' }, 'true', true],
  [{ type: 'BOOLEAN' }, '"FALSE"', false],
  [{ type: 'DATE' }, '"2026-11-21"', '2026-11-21'],
  [GRADE, '"GOLD"', 'GOLD'],
  [PRODUCT, `"${ONE}"`, { id: ONE }],
  [PRODUCT, `{"id":"${ONE}"}`, { id: ONE }],
  [PRODUCTS, `["${TWO}",{"id":"${ONE}"}]`, [{ id: TWO }, { id: ONE }]],
  [PRODUCTS, '[]', []],
  [LINE, `"${KEY}"`, ROWS.x_Line[0]],
  [LINE, '{"id":7,"line":1}', ROWS.x_Line[0]],
  [LINE, '{"id":{"id":7,"line":1}}', ROWS.x_Line[0]],
  [LINE, `{"id":"${KEY}"}`, ROWS.x_Line[0]],
  [{ ...LINE, type: 'ENTITY_LIST' }, '[{"line":1,"id":7}]', ROWS.x_Line],
])('%j reads %s', async (parameter, json, expected) => {
  expect(await resolve(parameter, json)).toEqual(expected);
});

// Asserts contract/decisions.md#65.
test.each<[Partial<ReportParameter>, string, string]>([
  [{ type: 'TEXT' }, '["a"]', 'cannot convert an array into a text'],
  [{ type: 'TEXT' }, '{"a":1}', 'cannot convert an object into a text'],
  [{ type: 'NUMERIC' }, 'true', "cannot convert 'true' into a number"],
  [{ type: 'NUMERIC' }, '[1]', 'cannot convert an array into a number'],
  [{ type: 'BOOLEAN' }, '1', "cannot convert '1' into true or false"],
  [{ type: 'DATE' }, '20261121', "cannot convert '20261121' into a date"],
  [GRADE, '["GOLD"]', 'cannot convert an array into one of GOLD, SILVER'],
  [PRODUCT, 'true', 'cannot convert true into an id'],
  [PRODUCT, `["${ONE}"]`, 'cannot convert an array into an id'],
  [PRODUCT, '{"name":"Pen"}', 'cannot convert an object into an id'],
  [PRODUCTS, `"${ONE}"`, `cannot convert '${ONE}' into an array of ids`],
  [PRODUCTS, '7', 'cannot convert 7 into an array of ids'],
  [PRODUCTS, `{"id":"${ONE}"}`, 'cannot convert an object into an array of ids'],
  [PRODUCTS, `["${ONE}",null]`, 'cannot convert null into an id'],
  [PRODUCTS, `[["${ONE}"]]`, 'cannot convert an array into an id'],
])('%j refuses %s and names the parameter', async (parameter, json, reason) => {
  await expect(resolve(parameter, json)).rejects.toMatchObject({
    code: 'REPORT_INVALID_PARAMETER',
    details: expect.stringContaining(`Parameter "p": ${reason}`),
  });
});

// Asserts contract/decisions.md#65.
test('`values` is the same for a list, and wins over `value`', async () => {
  expect(await resolve(PRODUCTS, 'null', [ONE])).toEqual([{ id: ONE }]);
  expect(await resolve(PRODUCTS, `["${ONE}"]`, [TWO])).toEqual([{ id: TWO }]);
  expect(await resolve(PRODUCTS, 'null', [{ id: ONE }])).toEqual([{ id: ONE }]);
  expect(await resolve({ ...LINE, type: 'ENTITY_LIST' }, 'null', [ROWS.x_Line[0]?.id ?? null])).toEqual([
    ROWS.x_Line[0],
  ]);
});

// Asserts contract/decisions.md#69.
test('parts that are no key return 400; an entity that may not be read returns 403 before what is wrong with the value', async () => {
  await expect(resolve(LINE, '{"id":{"line":1}}')).rejects.toMatchObject({
    code: 'REQ_INVALID_ENTITY_ID',
    details: 'Cannot convert {"line":1} into valid entity ID',
  });
  for (const json of ['{"id":{"line":1}}', 'true', '"7"'])
    await expect(resolve({ ...LINE, hidden: true }, json)).rejects.toMatchObject({ code: 'ACCESS_READ_DENIED' });
});
