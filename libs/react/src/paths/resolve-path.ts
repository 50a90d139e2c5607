import type { AttributeInfo, DetailedAttributeInfo, DetailedEntityInfo } from '@lintel/client';
import { type ApplicationModel, captionOf } from '../model/load-model.ts';

/** What a path is resolved with. */
export type PathModel = Pick<ApplicationModel, 'entities' | 'rights' | 'captions'>;

/** An attribute that a path of attribute names leads to, such as `customer.address.city`. */
export interface ResolvedPath {
  /** Names of attributes, separated by points. */
  readonly path: string;
  /** The entity or embedded object that has the attribute. */
  readonly owner: string;
  /** The last attribute of the path. */
  readonly attribute: DetailedAttributeInfo;
  /** The captions of all attributes of the path. */
  readonly caption: string;
  /** It leads through a collection, or to one. */
  readonly isMany: boolean;
  /** All of its attributes are stored, so the server can filter and sort by it. */
  readonly isStored: boolean;
}

export const isToMany = ({ cardinality }: AttributeInfo): boolean => cardinality.endsWith('_TO_MANY');

/** The entity whose attributes a path can continue with: that of a reference or an embedded object. */
export const targetOf = (model: PathModel, attribute: AttributeInfo): DetailedEntityInfo | undefined =>
  ['DATATYPE', 'ENUM'].includes(attribute.attributeType) || !model.rights.may(attribute.type, 'read')
    ? undefined
    : model.entities.get(attribute.type);

/** Whether the user may see an attribute, and the other end where it is a reference. */
export const isVisible = (model: PathModel, owner: string, attribute: AttributeInfo): boolean =>
  model.rights.mayView(owner, attribute.name) &&
  (['DATATYPE', 'ENUM'].includes(attribute.attributeType) || targetOf(model, attribute) !== undefined);

/** The attribute that a path leads to; undefined if there is none, or none that the user may see. */
export function resolvePath(model: PathModel, entityName: string, path: string): ResolvedPath | undefined {
  let owner = entityName;
  let entity = model.entities.get(entityName);
  let found: ResolvedPath | undefined;
  for (const name of path.split('.')) {
    const attribute = entity?.properties.find((each) => each.name === name);
    if (attribute === undefined || entity === undefined || !isVisible(model, entity.entityName, attribute))
      return undefined;
    owner = entity.entityName;
    const caption = captionOf(model, owner, name);
    found = {
      path,
      owner,
      attribute,
      caption: found === undefined ? caption : `${found.caption} › ${caption}`,
      isMany: found?.isMany === true || isToMany(attribute),
      isStored: found?.isStored !== false && attribute.persistent,
    };
    entity = targetOf(model, attribute);
  }
  return found;
}

/** The value at a path of an instance; undefined where a reference on the way has none. */
export function valueAt(instance: object, path: string): unknown {
  let value: unknown = instance;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}
