import { buildModel, embeddable, embedded, keyedEntity, string, toOne } from '@lintel/metadata';
import { type RowPredicate, shapeRow } from '@lintel/query';
import { compileRequest } from './run-stages.ts';

describe('a predicate on a descendant', () => {
  const licensed: RowPredicate = { dependsOn: ['licence'], test: ({ licence }) => licence !== null };
  const list = compileRequest({ operation: 'list', entityName: 't_Staff' }, {}, { t_Vet: [licensed] });
  const row = (entity: string, policy: string): string =>
    `{"_entityName":"${entity}","_instanceName":"x","id":1,"$policy":${policy}}`;
  const shape = (json: string): string | undefined => shapeRow(json, list.shape, { omitNulls: true });

  // Asserts contract/row-policies.md#reading.
  test('reads what it needs from the table of the descendant', () => {
    expect(list.text).toContain('FROM "t"."vet"');
  });

  // Asserts contract/row-policies.md#policies.
  test('hides instances of the descendant, and no others', () => {
    expect(shape(row('t_Vet', '{"t_Vet":{"licence":"L-1"}}'))).toContain('t_Vet');
    expect(shape(row('t_Vet', '{"t_Vet":{}}'))).toBeUndefined();
    expect(shape(row('t_Nurse', '{}'))).toContain('t_Nurse');
  });

  test('that its ancestor has, too, is tested once', () => {
    const both = compileRequest({ operation: 'list', entityName: 't_Staff' }, {}, { t_Staff: [named], t_Vet: [named] });
    expect(both.text).toContain('AS "t_Staff"');
    expect(both.text).not.toContain('AS "t_Vet"');
  });
  const named: RowPredicate = { dependsOn: ['name'], test: ({ name }) => name !== null };
});

test('names of an entity and its descendants that refer to each other come to an end', () => {
  const model = buildModel({
    entities: [
      keyedEntity('n_Node', { key: 'code', attributes: { code: string(5) }, instanceName: ['code'] }),
      keyedEntity('n_Link', {
        key: 'code',
        extends: 'n_Node',
        attributes: { to: toOne('n_Node') },
        instanceName: ['{code}', ' → ', '{to}'],
      }),
    ],
  });
  const { text } = compileRequest({ operation: 'list', entityName: 'n_Node' }, {}, {}, model);
  expect(text.match(/→/g)?.length).toBe(2);
});

// Asserts contract/instances.md#values.
test('an embedded object that must be there is there, without values, too', () => {
  const model = buildModel({
    entities: [
      embeddable('n_Place', { attributes: { city: string(10) } }),
      keyedEntity('n_House', {
        key: 'code',
        attributes: { code: string(5), at: embedded('n_Place').mandatory(), other: embedded('n_Place') },
      }),
    ],
  });
  const { text } = compileRequest({ operation: 'list', entityName: 'n_House' }, {}, {}, model);
  expect(text).toContain('CASE WHEN page."other_city" IS NOT NULL THEN');
  expect(text).not.toContain('CASE WHEN page."at_city"');
});
