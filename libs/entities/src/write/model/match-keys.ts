import { attributesIn, type Entity, lineageOf, type Model } from '@lintel/metadata';
import type { ColumnSlot, Layout } from './layout.ts';

/** Attributes by which stored instances are found: the id, or the attributes of a unique constraint of the model. */
export interface MatchKey {
  /** Names of the attributes, as the constraint names them. */
  readonly paths: readonly string[];
  readonly slots: readonly ColumnSlot[];
  /** SQL that is compared instead of the attributes, with attributes in braces. */
  readonly expression?: string | undefined;
  /** Only rows that satisfy this condition in SQL, with attributes in braces. */
  readonly where?: string | undefined;
}

/** The name of the key that consists of the id. */
export const ID_KEY = 'id';

/** The id as a key. */
export const idKeyOf = ({ key }: Pick<Layout, 'key'>): MatchKey => ({ paths: [ID_KEY], slots: key });

/** The unique constraints of an entity and its ancestors whose attributes clients may send. */
export function findMatchKeys(model: Model, { entity, slots }: Pick<Layout, 'entity' | 'slots'>): readonly MatchKey[] {
  const keyOf = (paths: readonly string[], more: Pick<MatchKey, 'expression' | 'where'> = {}): readonly MatchKey[] => {
    const own = paths.map((path) =>
      [...slots.values()].filter((slot) => slot.path === path || slot.path.startsWith(`${path}.`)),
    );
    const all = own.flat();
    const inSlots = (sql: string, some: readonly ColumnSlot[]): boolean =>
      attributesIn(sql).every((path) => some.some((slot) => slot.path === path));
    const isUsable =
      own.every((some) => some.length > 0) &&
      all.every(isSendable) &&
      inSlots(more.expression ?? '', all) &&
      inSlots(more.where ?? '', [...slots.values()]);
    return isUsable ? [{ paths, slots: all, ...more }] : [];
  };
  const declared = ({ indexes }: Entity): readonly MatchKey[] =>
    indexes.flatMap(({ attributes, unique, expression, where }) =>
      unique ? keyOf(attributes, { expression, where }) : [],
    );
  return [
    ...[...slots.values()].flatMap((slot) => (isUnique(slot) ? keyOf([slot.path]) : [])),
    ...lineageOf(model, entity).flatMap(declared),
  ];
}

const isUnique = ({ attribute }: ColumnSlot): boolean =>
  attribute.kind === 'reference' ? attribute.cardinality === 'ONE_TO_ONE' && !attribute.composition : attribute.unique;

const isSendable = ({ attribute, columns, isKey, shared }: ColumnSlot): boolean =>
  !isKey &&
  shared.length === 0 &&
  attribute.generated !== true &&
  !attribute.readOnly &&
  !attribute.secret &&
  columns.every(({ isArray }) => isArray !== true);
