import { buildModel, entityOf, manyToMany, standardEntity, string, toOne } from '@lintel/metadata';
import { canonicalKey } from '@lintel/query';
import type { InstanceNode } from '../graph/instance-node.ts';
import { initialValues } from '../graph/merge-values.ts';
import { writeModelOf } from '../model/write-model.ts';
import { UNLIMITED, type WriteRights } from '../scope/write-scope.ts';
import { type Key, keyText, type Value } from '../values/value.ts';
import { preserveHiddenReferences } from './preserve-hidden-references.ts';

const model = buildModel({
  entities: [
    standardEntity('t_Tag', { attributes: {} }),
    standardEntity('t_Order', {
      attributes: { number: string(9), parent: toOne('t_Order'), tags: manyToMany('t_Tag') },
    }),
  ],
});
const layout = writeModelOf(model).of(entityOf(model, 't_Order'));
const to = (id: string) => ({ key: canonicalKey([id]) });

interface NodeOptions {
  readonly kind?: InstanceNode['kind'];
  readonly before?: Readonly<Record<string, Value>>;
  readonly after?: Readonly<Record<string, Value>>;
  readonly hiddenAtRead?: ReadonlyMap<string, readonly Key[]>;
}

function node({ kind = 'update', before = {}, after = {}, hiddenAtRead }: NodeOptions): InstanceNode {
  const stored = new Map([...initialValues(layout, canonicalKey(['o'])), ...Object.entries(before)]);
  return {
    entity: layout.entity,
    layout,
    key: canonicalKey(['o']),
    kind,
    path: '',
    before: kind === 'create' ? undefined : stored,
    after: new Map([...stored, ...Object.entries(after)]),
    sent: new Map(Object.keys(after).map((name) => [name, null])),
    hiddenAtRead,
    children: new Map(),
  };
}
const sees = (...ids: readonly string[]): WriteRights => ({
  visibleKeys: (_, keys) => Promise.resolve(new Set(keys.filter(([id]) => ids.includes(String(id))).map(keyText))),
  showsReference: (_entity, _key, path) => Promise.resolve(ids.includes(path)),
});
const kept = async (rights: WriteRights, options: NodeOptions) => {
  const [result] = await preserveHiddenReferences(rights, [node(options)]);
  return Object.fromEntries(Object.keys(options.after ?? {}).map((path) => [path, result?.after.get(path)]));
};

test.each<[string, WriteRights, NodeOptions, Readonly<Record<string, Value>>]>([
  [
    'a reference whose target is hidden stays, for any sent value',
    sees(),
    { before: { parent: to('a') }, after: { parent: to('b') } },
    { parent: to('a') },
  ],
  [
    'a reference whose target is seen changes',
    sees('parent'),
    { before: { parent: to('a') }, after: { parent: to('b') } },
    { parent: to('b') },
  ],
  [
    'a reference that led nowhere changes',
    sees(),
    { before: { parent: null }, after: { parent: to('b') } },
    { parent: to('b') },
  ],
  [
    'null for a target that was hidden at the reading changes nothing',
    sees('parent'),
    {
      before: { parent: to('a') },
      after: { parent: null },
      hiddenAtRead: new Map([['parent', [canonicalKey(['a'])]]]),
    },
    { parent: to('a') },
  ],
  [
    'another target instead of one that was hidden at the reading is meant',
    sees('parent'),
    {
      before: { parent: to('a') },
      after: { parent: to('b') },
      hiddenAtRead: new Map([['parent', [canonicalKey(['a'])]]]),
    },
    { parent: to('b') },
  ],
  [
    'hidden members of an association keep their link',
    sees('a', 'b'),
    { before: { tags: [to('a'), to('b'), to('x')] }, after: { tags: [to('b')] } },
    { tags: [to('b'), to('x')] },
  ],
  [
    'a hidden member that is named is there once',
    sees(),
    { before: { tags: [to('x')] }, after: { tags: [to('x')] } },
    { tags: [to('x')] },
  ],
  [
    'members that were hidden at the reading keep their link',
    sees('a', 'b'),
    {
      before: { tags: [to('a'), to('b')] },
      after: { tags: [] },
      hiddenAtRead: new Map([['tags', [canonicalKey(['b'])]]]),
    },
    { tags: [to('b')] },
  ],
  ['a new instance has what was sent', sees(), { kind: 'create', after: { parent: to('b') } }, { parent: to('b') }],
  [
    'without row conditions everything is as it was sent',
    UNLIMITED,
    { before: { parent: to('a') }, after: { parent: null } },
    { parent: null },
  ],
])('%s', async (_, rights, options, expected) => {
  expect(await kept(rights, options)).toEqual(expected);
});

test('an instance of which nothing hidden changes is the same object', async () => {
  const same = node({ before: { parent: to('a'), number: 'A' }, after: { number: 'B' } });
  expect((await preserveHiddenReferences(sees(), [same]))[0]).toBe(same);
});
