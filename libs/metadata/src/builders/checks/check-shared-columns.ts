import type { Datatype } from '../../datatypes/datatypes.ts';
import { type Attribute, isToOne, type ReferenceAttribute } from '../../entities/attribute.ts';
import type { Entity } from '../../entities/entity.ts';
import { entityOf, familyTreeOf, lineageOf, type Model } from '../../model.ts';
import { type PlainColumn, plainColumnsOf } from '../../storage/plain-columns.ts';
import { embeddedPrefix, type ForeignColumn, foreignColumnsOf } from '../../storage/storage-map.ts';

/** What contradicts itself in columns that several attributes of one entity have: one sentence each. */
export const checkSharedColumns = (model: Model): readonly string[] =>
  [...model.entities.values()]
    .filter(({ kind }) => kind === 'entity')
    .flatMap((entity) => [...checkEntity(model, entity), ...checkSingleTable(model, entity)]);

/** Entities of one table may share a column if it has one type, and no row has both of their attributes. */
function checkSingleTable(model: Model, root: Entity): readonly string[] {
  if (root.inheritance?.strategy !== 'single-table') return [];
  const stored = familyTreeOf(model, root).flatMap((entity) =>
    plainColumnsOf(model, entity)
      // All have the key of the root.
      .filter(({ path }) => entity === root || path.split('.')[0] !== entity.key?.attribute)
      .map(({ path, column }) => ({ entity, path, column })),
  );
  return stored.flatMap(({ entity, path, column }, at) => {
    const other = stored.slice(0, at).find((one) => one.column.name === column.name);
    if (other === undefined) return [];
    const both = `${other.entity.name}.${other.path} and ${entity.name}.${path}`;
    if (lineageOf(model, entity).includes(other.entity) && entity !== other.entity)
      return [`${both} are both stored in the column ${column.name}`];
    return other.column.type === column.type
      ? []
      : [`${both} are stored in one column, ${column.name}, with the types ${other.column.type} and ${column.type}`];
  });
}

interface StoredReference {
  readonly path: string;
  readonly attribute: ReferenceAttribute;
  readonly columns: readonly ForeignColumn[];
}

function checkEntity(model: Model, entity: Entity): readonly string[] {
  const plain = plainColumnsOf(model, entity);
  const byName = new Map<string, PlainColumn>();
  const problems: string[] = [];
  for (const each of plain) {
    const other = byName.get(each.column.name);
    if (other === undefined) byName.set(each.column.name, each);
    else
      problems.push(
        `${entity.name}.${other.path} and ${entity.name}.${each.path} are both stored in the column ${each.column.name}`,
      );
  }
  const references = [...entity.attributes.values()]
    .filter(({ declaredBy }) => declaredBy === entity.name)
    .flatMap((attribute) => referencesIn(model, attribute, attribute.name, ''));
  const first = new Map<string, string>();
  for (const reference of references) {
    problems.push(...unlinkProblems(entity, reference, byName));
    for (const column of reference.columns) {
      const shared = byName.get(column.name);
      if (shared !== undefined) problems.push(...problemsOf(model, entity, reference, column, shared));
      const other = first.get(column.name);
      if (shared === undefined && other !== undefined)
        problems.push(
          `${entity.name}.${other} and ${entity.name}.${reference.path} share the column ${column.name}, which no other attribute has: add one for it, with .column('${column.name}')`,
        );
      first.set(column.name, reference.path);
    }
  }
  return problems;
}

function referencesIn(model: Model, attribute: Attribute, path: string, prefix: string): readonly StoredReference[] {
  if (!attribute.persistent) return [];
  if (attribute.kind === 'embedded')
    return [...entityOf(model, attribute.target).attributes.values()].flatMap((inner) =>
      referencesIn(model, inner, `${path}.${inner.name}`, embeddedPrefix(attribute, prefix)),
    );
  if (attribute.kind !== 'reference' || !isToOne(attribute)) return [];
  return [{ path, attribute, columns: foreignColumnsOf(model, attribute, prefix) }];
}

function problemsOf(
  model: Model,
  entity: Entity,
  { path, attribute }: StoredReference,
  column: ForeignColumn,
  plain: PlainColumn,
): readonly string[] {
  const where = `${entity.name}.${path}`;
  const shares = `${where} shares the column ${column.name} with ${entity.name}.${plain.path}`;
  const target = plainColumnsOf(model, entityOf(model, attribute.target)).find(
    (each) => each.column.name === column.targetColumn,
  );
  return [
    ...(Object.values(entity.system).includes(plain.path) ? [`${shares}, which the platform sets`] : []),
    ...(attribute.composition ? [`${shares}: the child of a composition has its own key`] : []),
    ...(isComparable(target?.attribute, plain.attribute) ? [] : [`${shares}, which is of another type`]),
  ];
}

/** A reference without a column outside of the key cannot be set to null. */
function unlinkProblems(
  { name, key }: Entity,
  { path, attribute, columns }: StoredReference,
  plain: ReadonlyMap<string, PlainColumn>,
): readonly string[] {
  const isKey = (column: ForeignColumn): boolean => plain.get(column.name)?.path.split('.', 1)[0] === key?.attribute;
  return attribute.onDeleteInverse === 'UNLINK' && columns.length > 0 && columns.every(isKey)
    ? [`${name}.${path} is stored in columns of the key, so that UNLINK cannot set it to null`]
    : [];
}

const GROUPS: readonly (readonly Datatype[])[] = [
  ['short', 'int', 'long', 'bigInteger', 'decimal'],
  ['string', 'char', 'uri', 'fileRef'],
  ['date', 'localDate'],
  ['dateTime', 'localDateTime'],
  ['time', 'localTime'],
];

/** Whether the values of two attributes can be the same; of an enum the ids are compared. */
function isComparable(one: Attribute | undefined, other: Attribute): boolean {
  if (one?.kind !== 'datatype' || other.kind !== 'datatype') return true;
  const [type, otherType] = [one.datatype, other.datatype];
  return type === otherType || GROUPS.some((group) => group.includes(type) && group.includes(otherType));
}
