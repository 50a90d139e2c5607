import {
  type ApiDescription,
  type ConnectionOptions,
  createClient,
  type DetailedEntityInfo,
  type EnumInfo,
  type Messages,
  type UserInfo,
} from '@lintel/client';
import type { RegisteredApi, RegisteredClient } from '../register.ts';
import { numberKindsOf } from './number-kinds.ts';
import { createRights, type Rights } from './rights.ts';

/** The application as its metadata, messages and permissions describe it to the user, in one language. */
export interface ApplicationModel {
  /** Knows which numbers of the application need all their digits. */
  readonly client: RegisteredClient;
  /** The user of the login. */
  readonly user: UserInfo;
  /** What the user may do. */
  readonly rights: Rights;
  /** Entities, embeddables and DTOs by name, with lengths, rules and hints. */
  readonly entities: ReadonlyMap<string, DetailedEntityInfo>;
  /** Enums by name, with captions of their constants. */
  readonly enums: ReadonlyMap<string, EnumInfo>;
  /** Captions of entities and attributes, dynamic ones too, by their keys: `sales_Order`, `sales_Order.number`. */
  readonly captions: Messages;
}

/** Reads the model, all parts at once, since each part needs the others. */
export async function loadModel(
  options: ConnectionOptions,
  description: Pick<ApiDescription, 'paths'> = {},
): Promise<ApplicationModel> {
  const first = createClient(options, description);
  const [entities, enums, permissions, user, captions] = await Promise.all([
    first.metadata.entities({ details: true }),
    first.metadata.enums(),
    first.user.permissions(),
    first.user.info(),
    first.messages.entities(),
  ]);
  const dynamic = entities.flatMap(({ entityName, dynamicProperties = [] }) =>
    dynamicProperties.map(({ name, description }) => [`${entityName}.${name}`, description]),
  );
  // The key of an entity that can be written is not read-only.
  const readOnly = entities.filter(({ properties }) => properties.every((property) => property.readOnly));
  return {
    client: createClient<RegisteredApi>(options, { ...description, numbers: numberKindsOf(entities) }),
    user,
    rights: createRights(permissions, new Set(readOnly.map(({ entityName }) => entityName))),
    entities: new Map(entities.map((entity) => [entity.entityName, entity])),
    enums: new Map(enums.map((each) => [each.name, each])),
    captions: { ...Object.fromEntries(dynamic), ...captions },
  };
}

/** The caption of an entity or of an attribute of it; its name without one. */
export const captionOf = (
  { captions }: Pick<ApplicationModel, 'captions'>,
  entity: string,
  attribute?: string,
): string => captions[attribute === undefined ? entity : `${entity}.${attribute}`] ?? attribute ?? entity;
