import { type Attribute, isToOne } from '../../entities/attribute.ts';
import type { Entity } from '../../entities/entity.ts';

/** What contradicts itself in views and in entities without a key: one sentence each. */
export function checkRelations(entities: ReadonlyMap<string, Entity>): readonly string[] {
  return [...entities.values()].flatMap((entity) => [
    ...(isKeyless(entity) && !extendsUnknown(entity, entities) ? keylessProblems(entity) : []),
    ...viewProblems(entity),
    ...treeProblems(entity),
    ...groupProblems(entity),
    ...[...entity.attributes.values()]
      .filter(({ declaredBy }) => declaredBy === entity.name)
      .flatMap((attribute) => targetProblems(entity, attribute, entities)),
  ]);
}

const isKeyless = ({ kind, key }: Entity): boolean => kind === 'entity' && key === undefined;

/** Then its key is not known. */
const extendsUnknown = ({ ancestor }: Entity, entities: ReadonlyMap<string, Entity>): boolean =>
  ancestor !== undefined && !entities.has(ancestor);

/** Instances are only rows: what finds one by its key is not possible. */
function keylessProblems(entity: Entity): readonly string[] {
  const { name, attributes, ancestor, descendants } = entity;
  if (ancestor !== undefined || descendants.length > 0)
    return [`${name} has no key, so it can neither extend an entity nor be extended`];
  if (entity.readOnly !== true || entity.table === undefined)
    return [
      `${name} has no key: give it one (keyedEntity), or make it a read-only list of an existing table or view (keylessEntity with \`table\` or \`view\`)`,
    ];
  if (entity.table.owned === true)
    return [`${name} has no key, so migrations cannot create its table: leave \`owned\` out, or give it a key`];
  return [...attributes.values()]
    .filter(({ kind, persistent }) => persistent && (kind === 'reference' || kind === 'elements'))
    .map(
      (attribute) =>
        `${name}.${attribute.name} cannot be a ${attribute.kind === 'reference' ? 'reference' : 'collection'}: ${name} has no key; declare the column as an attribute of its datatype, or give ${name} a key`,
    );
}

function viewProblems({ name, isView, readOnly, key, ancestor, descendants }: Entity): readonly string[] {
  if (isView !== true) return [];
  const inherits = ancestor !== undefined || descendants.length > 0;
  return [
    ...(inherits ? [`${name} is a view, so it can neither extend an entity nor be extended`] : []),
    ...(readOnly !== true && key?.generation === 'identity'
      ? [`${name} is a writable view, which cannot number its rows: its key must be 'assigned' or 'uuid'`]
      : []),
  ];
}

const groupProblems = ({ name, minimumGroup = 2 }: Entity): readonly string[] =>
  Number.isInteger(minimumGroup) && minimumGroup >= 2
    ? []
    : [`minimumGroup of ${name} must be a whole number of at least 2`];

/** A tree has one parent, and keys of one column. */
function treeProblems({ name, attributes, key }: Entity): readonly string[] {
  const parents = [...attributes.values()].filter((attribute) => 'tree' in attribute);
  const keyAttribute = attributes.get(key?.attribute ?? '');
  return parents.flatMap((parent): readonly string[] => {
    if (parent.declaredBy !== name) return [];
    const isParent =
      isToOne(parent) && parent.target === name && parent.owning && !parent.composition && parent.persistent;
    if (!isParent || parent.mandatory || parent.cardinality !== 'MANY_TO_ONE')
      return [`${name}.${parent.name} is no parent in a tree: it must be an optional toOne('${name}')`];
    if (parents.length > 1) return [`${name} has two parents in a tree: ${parents.map((one) => one.name).join(', ')}`];
    return keyAttribute?.kind === 'embedded' ? [`${name} cannot be a tree: its key has several columns`] : [];
  });
}

function targetProblems(
  entity: Entity,
  attribute: Attribute,
  entities: ReadonlyMap<string, Entity>,
): readonly string[] {
  if (attribute.kind !== 'reference' || !attribute.persistent) return [];
  const target = entities.get(attribute.target);
  if (target === undefined || !isKeyless(target)) return [];
  return [`${entity.name}.${attribute.name} cannot refer to ${target.name}, which has no key`];
}
