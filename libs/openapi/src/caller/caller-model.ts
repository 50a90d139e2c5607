import { type Attribute, dynamicAttributesOf, type Entity, type Model, storedNameAttributes } from '@lintel/metadata';
import { type Visibility, visibilityOf } from '@lintel/query';
import type { DocumentCaller } from './caller.ts';

interface Restriction {
  readonly model: Model;
  readonly access: DocumentCaller['access'];
  readonly visibility: Visibility;
  /** Embeddables that are keys, which are always returned as a whole. */
  readonly keys: ReadonlySet<string>;
}

/**
 * The model as far as the caller may read or write it, for documents alone: entities without any right are not there,
 * neither are attributes that the caller may neither view nor modify; those that may only be viewed are read-only
 * (contract/roles.md#attributes). A reference that may be written can lead to an entity that is not there.
 */
export function callerModel(model: Model, { access, read }: Pick<DocumentCaller, 'access' | 'read'>): Model {
  const visibility = visibilityOf(model, read);
  const visible = [...model.entities.values()].filter(
    (entity) => entity.kind !== 'entity' || visibility.canRead(entity) || access.allows(entity.name, 'create'),
  );
  const keys = new Set(visible.flatMap((entity) => keyTarget(entity) ?? []));
  const restriction: Restriction = { model, access, visibility, keys };
  const names = new Set(visible.map(({ name }) => name));
  const isReadable = (name: string): boolean => {
    const entity = model.entities.get(name);
    return entity !== undefined && (entity.kind !== 'entity' || visibility.canRead(entity));
  };
  return {
    ...model,
    entities: new Map(
      visible.map((entity) => [entity.name, callerEntity(restriction, entity, (name) => names.has(name))] as const),
    ),
    // Inherited ones are here, too: an ancestor may be missing. No policy is about them, only about what they refer to.
    dynamicAttributes: new Map(
      visible.map(
        (entity) =>
          [
            entity.name,
            dynamicAttributesOf(model, entity).filter(({ target }) => target === undefined || isReadable(target)),
          ] as const,
      ),
    ),
  };
}

const keyTarget = ({ key, attributes }: Entity): string | undefined => {
  const attribute = key === undefined ? undefined : attributes.get(key.attribute);
  return attribute?.kind === 'embedded' ? attribute.target : undefined;
};

function callerEntity(restriction: Restriction, entity: Entity, isThere: (name: string) => boolean): Entity {
  const attributes = new Map(
    [...entity.attributes].flatMap(([name, attribute]) => {
      const own = callerAttribute(restriction, entity, attribute);
      return own === undefined ? [] : [[name, own] as const];
    }),
  );
  const { version, ...system } = entity.system;
  const showsName = storedNameAttributes(entity).every((name) => attributes.has(name));
  return {
    ...entity,
    attributes,
    ancestor: entity.ancestor !== undefined && isThere(entity.ancestor) ? entity.ancestor : undefined,
    descendants: entity.descendants.filter(isThere),
    instanceName: showsName ? entity.instanceName : undefined,
    system: version !== undefined && attributes.has(version) ? { ...system, version } : system,
  };
}

function callerAttribute(
  { access, visibility, keys }: Restriction,
  entity: Entity,
  attribute: Attribute,
): Attribute | undefined {
  if (entity.key?.attribute === attribute.name || keys.has(entity.name)) return attribute;
  const isStored = entity.kind === 'entity';
  const isRead = (!isStored || visibility.canRead(entity)) && visibility.mayView(entity, attribute);
  const mayWrite =
    !isStored ||
    access.allows(entity.name, 'create') ||
    (visibility.canRead(entity) && access.allows(entity.name, 'update'));
  const isWritten = mayWrite && !attribute.readOnly && access.mayModify(entity.name, attribute.name);
  if (isWritten) return attribute;
  return isRead && !attribute.secret ? { ...attribute, readOnly: true } : undefined;
}
