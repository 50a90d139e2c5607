import type { Entity } from '../entities/entity.ts';
import type { DiscriminatorValue } from '../entities/inheritance.ts';

/** What contradicts itself in the storage of inheritance trees: one sentence each. */
export const checkInheritance = (entities: ReadonlyMap<string, Entity>): readonly string[] =>
  [...entities.values()].flatMap((entity) => {
    const root = rootOf(entity, entities);
    return [
      ...(root === entity ? treeProblems(entity, entities) : descendantProblems(entity, root)),
      ...valueProblems(entity, root),
    ];
  });

function rootOf(entity: Entity, entities: ReadonlyMap<string, Entity>): Entity {
  const above = entities.get(entity.ancestor ?? '');
  return above === undefined ? entity : rootOf(above, entities);
}

const familyOf = (root: Entity, entities: ReadonlyMap<string, Entity>): readonly Entity[] => [
  root,
  ...root.descendants.flatMap((name) => {
    const below = entities.get(name);
    return below === undefined ? [] : familyOf(below, entities);
  }),
];

function treeProblems(root: Entity, entities: ReadonlyMap<string, Entity>): readonly string[] {
  const { name, inheritance, descendants, ancestor, keyColumns } = root;
  if (keyColumns !== undefined && ancestor === undefined)
    return [`${name} has keyColumns, but extends no entity: name the column of its key with .column(…)`];
  if (inheritance === undefined) return [];
  if (descendants.length === 0) return [`${name} has inheritance, but no entity extends it`];
  const { discriminator, storedAs } = inheritance;
  const family = familyOf(root, entities);
  const columns = family.flatMap((entity) =>
    [...entity.attributes.values()]
      .filter(({ columns: names }) => discriminator !== undefined && names?.includes(discriminator) === true)
      .filter(({ declaredBy }) => declaredBy === entity.name)
      .map(
        (attribute) =>
          `${entity.name}.${attribute.name} has the column of the discriminator, ${discriminator}: leave it out`,
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

function descendantProblems({ name, inheritance, table, keyColumns, key }: Entity, root: Entity): readonly string[] {
  const isSingleTable = root.inheritance?.strategy === 'single-table';
  const count = Math.max(1, key?.parts.length ?? 1);
  return [
    ...(inheritance === undefined ? [] : [`${name} extends another entity: state its inheritance at ${root.name}`]),
    ...(isSingleTable && (table !== undefined || keyColumns !== undefined)
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
