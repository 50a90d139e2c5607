import type { DetailedAttributeInfo, DetailedEntityInfo, EnumInfo } from '@lintel/client';
import { createRights, type Rights } from '@lintel/react';

/** An attribute with one value of a datatype, unless `more` says otherwise. */
export const attribute = (name: string, type = 'string', more: Partial<DetailedAttributeInfo> = {}) =>
  ({
    ...{ name, type, attributeType: 'DATATYPE', cardinality: 'NONE', description: `the ${name}` },
    ...{ persistent: true, mandatory: false, readOnly: false },
    ...more,
  }) as DetailedAttributeInfo;

/** A reference to one instance. */
export const reference = (name: string, type: string, more: Partial<DetailedAttributeInfo> = {}) =>
  attribute(name, type, { attributeType: 'ASSOCIATION', cardinality: 'MANY_TO_ONE', owning: true, ...more });

/** The children of a composition. */
export const children = (name: string, type: string, inverse: string) =>
  attribute(name, type, { attributeType: 'COMPOSITION', cardinality: 'ONE_TO_MANY', inverse });

/** An attribute that an administrator has defined. */
export const dynamic = (name: string, type = 'string', more: object = {}) => ({
  ...attribute(name, type),
  ...{ dynamic: true, category: 'Loyalty' },
  ...more,
});

/** An entity with a generated id. */
export const entity = (
  entityName: string,
  properties: readonly DetailedAttributeInfo[],
  more: object = {},
): DetailedEntityInfo =>
  ({
    ...{ entityName, properties, kind: 'entity', abstract: false },
    ...{ key: 'id', keyGeneration: 'uuid', nameAttributes: [] },
    ...more,
  }) as unknown as DetailedEntityInfo;

interface Granted {
  /** `Order:read`, `Order.number` (not seen) and `Order.number:modify` (not changed) that the user has not. */
  readonly without?: readonly string[];
  readonly specifics?: readonly string[];
}

const OPERATIONS = ['create', 'read', 'update', 'delete'];

/** All rights on the entities, but for some. */
export function rightsOn(
  entities: readonly DetailedEntityInfo[],
  { without = [], specifics = [] }: Granted = {},
): Rights {
  const targets = entities.flatMap(({ entityName }) => OPERATIONS.map((each) => `${entityName}:${each}`));
  const attributes = entities.flatMap(({ entityName, properties }) =>
    properties
      .filter(({ name }) => !without.includes(`${entityName}.${name}`))
      .map(({ name }) => ({
        target: `${entityName}:${name}`,
        value: without.includes(`${entityName}.${name}:modify`) ? (1 as const) : (2 as const),
      })),
  );
  return createRights({
    authorities: [],
    entities: targets.filter((each) => !without.includes(each)).map((target) => ({ target, value: 1 as const })),
    entityAttributes: attributes,
    specifics: specifics.map((target) => ({ target, value: 1 as const })),
  });
}

/** The model of entities, as a user with the rights sees it; a caption is the name in capitals. */
export const modelOf = (entities: readonly DetailedEntityInfo[], granted: Granted = {}) => ({
  entities: new Map(entities.map((each) => [each.entityName, each])),
  enums: new Map<string, EnumInfo>(),
  captions: Object.fromEntries(
    entities.flatMap(({ entityName, properties }) => [
      [entityName, entityName.toUpperCase()],
      ...properties.map(({ name }) => [`${entityName}.${name}`, name.toUpperCase()]),
    ]),
  ),
  rights: rightsOn(entities, granted),
});
