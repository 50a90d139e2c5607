import { dynamicMemberOf, type Entity, entityOf, type Model, rootOf } from '@lintel/metadata';
import { entitiesOfSelect, keyPartsOf, type SecuredNode, type SecuredQuery } from '@lintel/query';

/** Where the JSON of a row has instances of entities with an access log. */
export interface Disclosure {
  /** The entity whose instance the object is: the root of its inheritance tree. */
  readonly entity?: Entity | undefined;
  /** Members that have others below them. */
  readonly members: readonly (readonly [name: string, Disclosure])[];
  /** Entities of which the rows have values without ids. */
  readonly values?: readonly Entity[];
  /** Ids may be numbers with more digits than JavaScript keeps. */
  readonly isExact: boolean;
}

/** Whether the access to any entity is recorded. */
export const hasAccessLog = (model: Model): boolean =>
  [...model.entities.values()].some(({ accessLog }) => accessLog !== undefined);

/** Finds what the rows of a query disclose; undefined where it is nothing that is recorded. */
export function disclosureOf({ model, node, selection }: SecuredQuery): Disclosure | undefined {
  if (selection !== undefined && selection.root === undefined) {
    const values = [
      ...new Set([...entitiesOfSelect(selection.select)].flatMap((entity) => loggedRoot(model, entity) ?? [])),
    ];
    return values.length === 0 ? undefined : { members: [], values, isExact: false };
  }
  return disclosureAt(model, node);
}

function disclosureAt(model: Model, { entity: shown, properties, dynamic }: SecuredNode): Disclosure | undefined {
  const below = (name: string, node: SecuredNode | undefined): [string, Disclosure][] => {
    const found = node && disclosureAt(model, node);
    return found === undefined ? [] : [[name, found]];
  };
  const members = [
    ...properties.flatMap(({ attribute, node }) => below(attribute.name, node)),
    ...dynamic.flatMap(({ attribute, node }) => below(dynamicMemberOf(attribute), node)),
  ];
  const entity = loggedRoot(model, shown);
  if (entity === undefined && members.length === 0) return undefined;
  const isExact = entity !== undefined && !hasPlainKey(model, entity);
  return { entity, members, isExact: isExact || members.some(([, each]) => each.isExact) };
}

function loggedRoot(model: Model, entity: Entity): Entity | undefined {
  if (entity.kind !== 'entity') return undefined;
  const root = rootOf(model, entity);
  return root.accessLog === undefined ? undefined : entityOf(model, root.name);
}

const PLAIN: ReadonlySet<string> = new Set(['uuid', 'string', 'int']);

const hasPlainKey = (model: Model, entity: Entity): boolean =>
  keyPartsOf(model, entity).every(({ type }) => type.kind === 'datatype' && PLAIN.has(type.datatype));
