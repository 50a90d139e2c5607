import { type RowPredicate, shapeRow } from '@lintel/query';
import { compileRequest } from './run-stages.ts';

const cheap: RowPredicate = { dependsOn: ['cost'], test: ({ cost }) => Number(cost ?? 0) < 50 };

const statement = compileRequest(
  {
    operation: 'instance',
    entityName: 't_Pet',
    id: '00000000-0000-4000-8000-000000000011',
    members: {
      fetchPlan: {
        entity: 't_Pet',
        properties: ['visitCount', { name: 'visits', fetchPlan: { properties: ['cost'] } }],
      },
    },
  },
  {},
  { t_Visit: [cheap] },
);

const visit = (id: number, cost: string): string =>
  `{"_entityName":"t_Visit","_instanceName":[null,"${cost}"],"id":${id},"cost":${cost},"$policy":{"t_Visit":{"cost":${cost}}}}`;

// Asserts contract/decisions.md#43, contract/row-policies.md#reading.
test('a predicate hides members of collections, also from what is computed of them', () => {
  const visits = `[${visit(1, '20.00')},${visit(2, '100.10')}]`;
  const row = `{"_entityName":"t_Pet","_instanceName":"Rex","id":"x","visits":${visits},"$inputs":{"visits":${visits}}}`;
  const shaped = shapeRow(row, statement.shape, { omitNulls: true });
  expect(shaped).toBe(
    '{"_entityName":"t_Pet","_instanceName":"Rex","id":"x",' +
      '"visits":[{"_entityName":"t_Visit","_instanceName":"nobody: 20.00","id":1,"cost":20.00}],"visitCount":1}',
  );
});

// Asserts contract/row-policies.md#reading.
test('a predicate hides the root', () => {
  const root = compileRequest({ operation: 'list', entityName: 't_Visit' }, {}, { t_Visit: [cheap] });
  expect(root.text).not.toContain('LIMIT $');
  expect(shapeRow(visit(2, '100.10'), root.shape, { omitNulls: true })).toBeUndefined();
  expect(shapeRow(visit(1, '20.00'), root.shape, { omitNulls: true })).toContain('"cost":20.00');
});

// Asserts contract/row-policies.md#policies.
test('a predicate that fails shows nothing: its error is that of the request', () => {
  const failing: RowPredicate = {
    dependsOn: ['cost'],
    test: () => {
      throw new Error('no cost');
    },
  };
  const root = compileRequest({ operation: 'list', entityName: 't_Visit' }, {}, { t_Visit: [failing] });
  expect(() => shapeRow(visit(1, '20.00'), root.shape, { omitNulls: true })).toThrow('no cost');
});

// Asserts contract/row-policies.md#reading.
test('a list of a dynamic attribute whose members are all hidden is as absent as an empty one', () => {
  const never: RowPredicate = { dependsOn: ['label'], test: () => false };
  const { shape } = compileRequest(
    {
      operation: 'list',
      entityName: 't_Pet',
      members: { dynamicAttributes: true, fetchPlan: { entity: 't_Pet', properties: [] } },
    },
    {},
    { t_Tag: [never] },
  );
  const tag = '{"_entityName":"t_Tag","_instanceName":"Rare","id":"rare","$policy":{"t_Tag":{"label":"Rare"}}}';
  const row = `{"_entityName":"t_Pet","_instanceName":"Rex","id":"x","+labels":[${tag}]}`;
  expect(shapeRow(row, shape, { omitNulls: true })).not.toContain('+labels');
  expect(shapeRow(row, shape, { omitNulls: false })).toContain('"+labels":null');
});
