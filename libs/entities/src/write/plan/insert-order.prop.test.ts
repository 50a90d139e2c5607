import { buildModel, entityOf, standardEntity, toOne } from '@lintel/metadata';
import { canonicalKey } from '@lintel/query';
import { cases, fc } from '@lintel/testkit/properties';
import type { InstanceNode } from '../graph/instance-node.ts';
import { initialValues } from '../graph/merge-values.ts';
import { writeModelOf } from '../model/write-model.ts';
import { insertOrder } from './insert-order.ts';

const ENTITIES = ['t_A', 't_B', 't_C'];
const model = buildModel({
  entities: ENTITIES.map((name) =>
    standardEntity(name, {
      attributes: Object.fromEntries(ENTITIES.map((target) => [`to${target.slice(2)}`, toOne(target)])),
    }),
  ),
});

const COUNT = 5;
/** Entities refer to themselves and to those before them: rings are within one, where one statement inserts them all. */
const references = fc.array(fc.option(fc.nat(COUNT - 1)), { minLength: 3, maxLength: 3 });
const instances = fc.tuple(...ENTITIES.map(() => fc.array(references, { maxLength: COUNT }))).chain((byEntity) =>
  fc.shuffledSubarray(
    byEntity.flatMap((list, at) => list.map((targets, id) => nodeOf(at, id, targets))),
    { minLength: byEntity.flat().length },
  ),
);

/** Entities refer to each other in any direction, instances only to those made before them: there are no rings. */
const withoutRings = fc
  .array(fc.record({ at: fc.nat(ENTITIES.length - 1), references }), { maxLength: 3 * COUNT })
  .chain((made) => {
    const before = (at: number, end: number): readonly number[] =>
      made.slice(0, end).flatMap((other, id) => (other.at === at ? [id] : []));
    const nodes = made.map(({ at, references: wanted }, id) => {
      const targets = wanted.map((pick, target) => {
        const known = before(target, id);
        return pick === null ? null : (known[pick % Math.max(1, known.length)] ?? null);
      });
      return nodeOf(at, id, targets, ENTITIES.length);
    });
    return fc.shuffledSubarray(nodes, { minLength: nodes.length });
  });

function nodeOf(at: number, id: number, targets: readonly (number | null)[], targetCount = at + 1): InstanceNode {
  const layout = writeModelOf(model).of(entityOf(model, ENTITIES[at] ?? ''));
  const links = ENTITIES.slice(0, targetCount).map((target, index) => {
    const key = targets[index] ?? null;
    return [`to${target.slice(2)}`, key === null ? null : { key: canonicalKey([`${target} ${key}`]) }] as const;
  });
  const key = canonicalKey([`${layout.entity.name} ${id}`]);
  return {
    entity: layout.entity,
    layout,
    key,
    kind: 'create',
    path: '',
    before: undefined,
    after: new Map([...initialValues(layout, key), ...links]),
    sent: new Map(),
    children: new Map(),
  };
}

const idOf = ({ key }: InstanceNode): string => String(key[0]);
const targetsOf = ({ after }: InstanceNode): readonly string[] =>
  [...after.values()].flatMap((value) =>
    typeof value === 'object' && value !== null && 'key' in value ? [String(value.key[0])] : [],
  );

test.each([
  ['with rings of one entity', instances],
  ['without rings', withoutRings],
])(
  'instances %s are inserted once, with others of their entity, and not before those that they refer to',
  (_, made) => {
    fc.assert(
      fc.property(made, (nodes) => {
        const groups = insertOrder(model, nodes);
        expect(groups.flat().map(idOf).sort()).toEqual(nodes.map(idOf).sort());
        const known = new Set(nodes.map(idOf));
        const inserted = new Set<string>();
        for (const group of groups) {
          expect(new Set(group.map(({ entity }) => entity)).size).toBe(1);
          for (const node of group) inserted.add(idOf(node));
          for (const target of group.flatMap(targetsOf)) if (known.has(target)) expect(inserted.has(target)).toBe(true);
        }
      }),
      cases(300),
    );
  },
);
