import type { ReferenceAttribute } from '@lintel/metadata';
import { valueIn } from '../graph/unique-keys.ts';
import type { ColumnSlot } from '../model/layout.ts';
import type { MatchKey } from '../model/match-keys.ts';
import type { WriteModel } from '../model/write-model.ts';
import { cannotDeserialize } from '../parse/deserialization-error.ts';
import type { InstanceInput } from '../parse/instance-input.ts';
import type { StoredRow } from '../rows/rows.ts';
import { keyText, type Value, type Values } from '../values/value.ts';

/**
 * Gives children without an id the id of the stored child of the same owner with the same unique attributes
 * (contract/writing.md#upsert-children). A unique constraint that contains the reference to the owner comes before others.
 *
 * @param stored the children of the owner that the caller sees
 * @throws PlatformError REQ_CANNOT_DESERIALIZE for a child that is another one's duplicate, or that several constraints may name
 */
export function withStoredKeys(
  writeModel: WriteModel,
  { inverse }: ReferenceAttribute,
  children: readonly InstanceInput[],
  stored: readonly StoredRow[],
): readonly InstanceInput[] {
  if (stored.length === 0 || children.every(({ key }) => key !== undefined)) return children;
  const taken = new Set(children.flatMap(({ key }) => (key === undefined ? [] : [keyText(key)])));
  const indexes = new Map<MatchKey, ReadonlyMap<string, StoredRow>>();
  return children.map((child) => {
    if (child.key !== undefined) return child;
    const match = keyOf(child);
    if (match === undefined) return child;
    const index = indexes.get(match) ?? indexOf(match);
    indexes.set(match, index);
    const row = index.get(textOf(match, sentValues(child)));
    if (row === undefined) return child;
    if (taken.has(keyText(row.key)))
      throw cannotDeserialize(`'${child.path}' and another member are the same instance`);
    taken.add(keyText(row.key));
    return { ...child, key: row.key };
  });

  function keyOf(child: InstanceInput): MatchKey | undefined {
    const named = writeModel
      .of(child.entity)
      .matchKeys.filter(
        ({ slots, expression, where }) =>
          expression === undefined &&
          where === undefined &&
          slots.some(({ path }) => path !== inverse) &&
          slots.every(({ path, attribute }) => path === inverse || (isPlain(attribute) && hasValue(child, path))),
      );
    const ofOwner = named.filter(({ paths }) => inverse !== undefined && paths.includes(inverse));
    const [first, other] = ofOwner.length > 0 ? ofOwner : named;
    if (other !== undefined)
      throw cannotDeserialize(`'${child.path}' needs an id: it has the attributes of several unique constraints`);
    return first;
  }

  function indexOf(match: MatchKey): ReadonlyMap<string, StoredRow> {
    return new Map(stored.map((row) => [textOf(match, row.values), row]));
  }

  function textOf({ paths, slots }: MatchKey, values: Pick<Values, 'get'>): string {
    const own = slots.filter(({ path }) => path !== inverse);
    const key = { name: paths.join(), slots: own, nullable: [], isCompared: true };
    return valueIn(writeModel.model, key, values) ?? '';
  }
}

const sentValues = ({ values }: InstanceInput): Pick<Values, 'get'> => ({
  get: (path) => values.get(path)?.value as Value | undefined,
});

/** A reference to a hidden instance would show which child has it. */
const isPlain = ({ kind }: ColumnSlot['attribute']): boolean => kind !== 'reference';

const hasValue = ({ values }: InstanceInput, path: string): boolean => (values.get(path)?.value ?? null) !== null;
