import {
  type AttributeBuilders,
  buildModel,
  compositionOfOne,
  embeddable,
  embedded,
  integer,
  keyedEntity,
  long,
  plainColumnsOf,
  standardEntity,
  string,
  toOne,
} from '../../index.ts';

const modelOf = (attributes: AttributeBuilders, keyAttributes: AttributeBuilders = {}) =>
  buildModel({
    entities: [
      keyedEntity('t_Order', { key: 'id', attributes: { id: long() } }),
      embeddable('t_PartKey', { attributes: { tenant: integer().mandatory(), number: integer().mandatory() } }),
      keyedEntity('t_Part', { key: 'id', attributes: { id: embedded('t_PartKey') } }),
      embeddable('t_LineKey', {
        attributes: { orderId: long().mandatory(), position: integer().mandatory(), ...keyAttributes },
      }),
      keyedEntity('t_Line', {
        key: 'id',
        traits: { versioned: true },
        attributes: { id: embedded('t_LineKey').columnPrefix(''), ...attributes },
      }),
      standardEntity('t_Other', { attributes: { name: string(10) } }),
    ],
  });

test.each<[string, AttributeBuilders, string]>([
  ['two values in one column', { a: integer(), b: integer().column('a') }, 't_Line.a and t_Line.b are both stored in'],
  [
    'two references over a column without an attribute',
    { a: toOne('t_Part').column('tenant', 'a'), b: toOne('t_Part').column('tenant', 'b') },
    "t_Line.a and t_Line.b share the column tenant, which no other attribute has: add one for it, with .column('tenant')",
  ],
  [
    'a reference over a column that the platform sets',
    { by: toOne('t_Order').column('version') },
    't_Line.by shares the column version with t_Line.version, which the platform sets',
  ],
  [
    'a composition over a column of another attribute',
    { tenant: integer(), part: compositionOfOne('t_Part').column('tenant', 'part') },
    't_Line.part shares the column tenant with t_Line.tenant: the child of a composition has its own key',
  ],
  [
    'a reference over the key that is set to null',
    { order: toOne('t_Order').column('order_id').onTargetDelete('UNLINK') },
    't_Line.order is stored in columns of the key, so that UNLINK cannot set it to null',
  ],
  [
    'a reference over a column of another type',
    { number: string(10), order: toOne('t_Order').column('number') },
    't_Line.order shares the column number with t_Line.number, which is of another type',
  ],
])('%s is a contradiction', (_what, attributes, sentence) => {
  expect(() => modelOf(attributes)).toThrow(sentence);
});

test('references may be declared over the columns of the key and of other attributes', () => {
  const model = modelOf({
    order: toOne('t_Order').mandatory().column('order_id'),
    tenant: integer(),
    a: toOne('t_Part').column('tenant', 'a'),
    b: toOne('t_Part').column('tenant', 'b'),
    next: toOne('t_Part').column('position', 'next').onTargetDelete('UNLINK'),
  });
  const line = model.entities.get('t_Line');
  expect(line && plainColumnsOf(model, line).map(({ path, column }) => [path, column.name])).toEqual([
    ['id.orderId', 'order_id'],
    ['id.position', 'position'],
    ['version', 'version'],
    ['tenant', 'tenant'],
  ]);
});
