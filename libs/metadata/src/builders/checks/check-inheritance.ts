import type { Entity } from '../../entities/entity.ts';
import type { DiscriminatorValue } from '../../entities/inheritance.ts';
import { familyTreeOf, type Model } from '../../model.ts';
import { plainColumnsOf } from '../../storage/plain-columns.ts';
import { rootOf, storingEntity } from '../../storage/storage-map.ts';
import type { EntityDefinition } from '../entity-builder.ts';

/** What contradicts itself in the storage of inheritance trees: one sentence each. */
export const checkInheritance = (model: Model, definitions: ReadonlyMap<string, EntityDefinition>): readonly string[] =>
  [...model.entities.values()].flatMap((entity) => {
    const root = rootOf(model, entity);
    return [
      ...(root === entity
        ? treeProblems(model, entity)
        : descendantProblems(entity, root, definitions.get(entity.name)?.table !== undefined)),
      ...valueProblems(entity, root),
    ];
  });

function treeProblems(model: Model, root: Entity): readonly string[] {
  const { name, inheritance, descendants, keyColumns } = root;
  if (keyColumns !== undefined)
    return [`${name} has keyColumns, but extends no entity: name the column of its key with .column(…)`];
  if (inheritance === undefined) return [];
  if (descendants.length === 0) return [`${name} has inheritance, but no entity extends it`];
  const { discriminator, storedAs } = inheritance;
  const family = familyTreeOf(model, root);
  const columns = family
    .filter((entity) => discriminator !== undefined && storingEntity(model, entity) === root)
    .flatMap((entity) =>
      plainColumnsOf(model, entity)
        .filter(({ column }) => column.name === discriminator)
        .map(
          ({ path }) => `${entity.name}.${path} has the column of the discriminator, ${discriminator}: leave it out`,
        ),
    );
  const isNumeric = /^(smallint|integer|bigint)$/.test(storedAs ?? '');
  return [
    ...columns,
    ...repeatedValues(family),
    ...family.flatMap((entity) => {
      const { discriminatorValue: value } = entity;
      if (value === undefined)
        return entity.abstract || discriminator === undefined
          ? []
          : [
              `${entity.name} has no discriminatorValue: name what ${discriminator} contains in its rows, or make it abstract`,
            ];
      if (storedAs !== undefined && isNumeric !== (typeof value === 'number'))
        return [`${entity.name} has the discriminatorValue ${JSON.stringify(value)}, which is no ${storedAs}`];
      return [];
    }),
  ];
}

function repeatedValues(family: readonly Entity[]): readonly string[] {
  const byValue = new Map<DiscriminatorValue, Entity>();
  const kinds = new Set<string>();
  return family.flatMap((entity) => {
    const { discriminatorValue: value } = entity;
    if (value === undefined) return [];
    const other = byValue.get(value);
    byValue.set(value, entity);
    if (other !== undefined)
      return [`${other.name} and ${entity.name} have one discriminatorValue: ${JSON.stringify(value)}`];
    kinds.add(typeof value);
    return kinds.size > 1
      ? [`${entity.name} has a discriminatorValue of another kind than the others: texts or numbers`]
      : [];
  });
}

function descendantProblems(
  { name, inheritance, keyColumns, key }: Entity,
  root: Entity,
  hasTable: boolean,
): readonly string[] {
  const isSingleTable = root.inheritance?.strategy === 'single-table';
  const count = Math.max(1, key?.parts.length ?? 1);
  return [
    ...(inheritance === undefined ? [] : [`${name} extends another entity: state its inheritance at ${root.name}`]),
    ...(isSingleTable && (hasTable || keyColumns !== undefined)
      ? [`${name} is stored in the table of ${root.name}: leave table and keyColumns out`]
      : []),
    ...(keyColumns !== undefined && keyColumns.length !== count
      ? [`${name} names ${keyColumns.length} keyColumns, and its key has ${count}`]
      : []),
  ];
}

function valueProblems({ name, discriminatorValue: value, abstract }: Entity, root: Entity): readonly string[] {
  if (value === undefined) return [];
  if (root.inheritance?.discriminator === undefined)
    return [`${name} has a discriminatorValue: name its column at ${root.name}, inheritance: { discriminator: '…' }`];
  if (abstract) return [`${name} is abstract, so no row has its discriminatorValue`];
  return typeof value === 'number' && !Number.isSafeInteger(value)
    ? [`${name} has the discriminatorValue ${value}, which is no whole number`]
    : [];
}
