import { buildModel, entityOf, standardEntity, toOne } from '@lintel/metadata';
import { canonicalKey } from '@lintel/query';
import type { InstanceNode } from '../graph/instance-node.ts';
import { initialValues } from '../graph/merge-values.ts';
import { writeModelOf } from '../model/write-model.ts';
import type { Value } from '../values/value.ts';
import type { UpdateSlots } from './leavers-first.ts';
import { moveReferences } from './move-references.ts';

const model = buildModel({
  entities: [
    standardEntity('t_Person', { attributes: {} }),
    standardEntity('t_Passport', { attributes: { person: toOne('t_Person').unique() } }),
    standardEntity('t_Desk', { attributes: { person: toOne('t_Person').mandatory().unique() } }),
    standardEntity('t_Order', { attributes: { person: toOne('t_Person') } }),
  ],
});

function nodeOf(entity: string, id: string, from: string | null | undefined, to: string | null): InstanceNode {
  const layout = writeModelOf(model).of(entityOf(model, entity));
  const initial = initialValues(layout, canonicalKey([id]));
  const linkTo = (target: string | null): Value => (target === null ? null : { key: canonicalKey([target]) });
  const withTarget = (target: string | null) =>
    new Map([...initial, ...(layout.slots.has('person') ? [['person', linkTo(target)] as const] : [])]);
  return {
    entity: layout.entity,
    layout,
    key: canonicalKey([id]),
    kind: from === undefined ? 'create' : 'update',
    path: '',
    before: from === undefined ? undefined : withTarget(from),
    after: withTarget(to),
    sent: new Map(),
    children: new Map(),
  };
}

/** `<id>=<target>` for each row, in the order of the statements. */
const update: UpdateSlots = (rows) =>
  rows.map(({ node, slots: [slot] }) => {
    const value = node.after.get(slot?.path ?? '') as { readonly key: readonly string[] } | null;
    return { text: `${node.key[0]}=${value?.key[0] ?? 'null'}`, values: [] };
  });

function movesOf(created: readonly InstanceNode[], updated: readonly InstanceNode[]) {
  const { beforeInserts, insertedFirst, betweenInserts, afterInserts } = moveReferences(
    model,
    created,
    updated,
    update,
  );
  const textsOf = (statements: readonly { readonly text: string }[]) => statements.map(({ text }) => text);
  return {
    before: textsOf(beforeInserts),
    first: [...insertedFirst].map(({ key }) => key[0]),
    between: textsOf(betweenInserts),
    after: textsOf(afterInserts),
  };
}
const NOTHING = { before: [], first: [], between: [], after: [] };

test('a reference that may be null is released where another instance takes its target', () => {
  const exchanged = [nodeOf('t_Passport', '1', 'a', 'b'), nodeOf('t_Passport', '2', 'b', 'a')];
  expect(movesOf([], exchanged)).toEqual({ ...NOTHING, before: ['1=null', '2=null'] });
  expect(movesOf([nodeOf('t_Passport', '2', undefined, 'a')], [nodeOf('t_Passport', '1', 'a', 'b')])).toEqual({
    ...NOTHING,
    before: ['1=null'],
  });
});

test('nothing is written where no other instance takes what is left', () => {
  expect(movesOf([], [nodeOf('t_Passport', '1', 'a', 'b'), nodeOf('t_Passport', '2', null, 'c')])).toEqual(NOTHING);
  expect(movesOf([], [nodeOf('t_Passport', '1', 'a', 'b')])).toEqual(NOTHING);
  expect(movesOf([], [nodeOf('t_Desk', '1', 'a', 'b'), nodeOf('t_Passport', '2', null, 'a')])).toEqual(NOTHING);
  expect(movesOf([], [nodeOf('t_Order', '1', 'a', 'b'), nodeOf('t_Order', '2', 'b', 'a')])).toEqual(NOTHING);
});

test('mandatory references are written in order, when the rows that they refer to are inserted', () => {
  const chain = [nodeOf('t_Desk', '1', 'a', 'b'), nodeOf('t_Desk', '2', 'b', 'c'), nodeOf('t_Desk', '3', 'c', 'new')];
  expect(movesOf([nodeOf('t_Person', 'new', undefined, null)], chain)).toEqual({
    ...NOTHING,
    after: ['3=new', '2=c', '1=b'],
  });
});

test('mandatory references are written before a new row takes one of their targets', () => {
  const moves = [nodeOf('t_Desk', '1', 'a', 'b'), nodeOf('t_Desk', '2', 'b', 'c')];
  expect(movesOf([nodeOf('t_Desk', '3', undefined, 'a')], moves)).toEqual({
    ...NOTHING,
    between: ['2=c', '1=b'],
  });
});

test('mandatory references are written between the new rows that they lead to and those that take their targets', () => {
  const created = [nodeOf('t_Desk', '2', undefined, 'a'), nodeOf('t_Person', 'new', undefined, null)];
  expect(movesOf(created, [nodeOf('t_Desk', '1', 'a', 'new')])).toEqual({
    ...NOTHING,
    first: ['new'],
    between: ['1=new'],
  });
});
