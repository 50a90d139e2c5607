import {
  type Client,
  type Connection,
  createClient,
  type DetailedEntityInfo,
  type EnumInfo,
  type Messages,
  type TokenSource,
  type UserInfo,
} from '@lintel/client';
import type { Settings } from '../settings.ts';
import { numberKindsOf } from './number-kinds.ts';
import { createRights, type Rights } from './rights.ts';

/** The application as its metadata, messages and permissions describe it to the user, in the language of the page. */
export interface Model {
  readonly client: Client;
  /** For requests that the client has no method for. */
  readonly connection: Connection;
  readonly settings: Settings;
  readonly user: UserInfo;
  readonly rights: Rights;
  readonly entities: ReadonlyMap<string, DetailedEntityInfo>;
  readonly enums: ReadonlyMap<string, EnumInfo>;
  /** Captions of entities and attributes by their keys: `sales_Order`, `sales_Order.number`. */
  readonly captions: Messages;
}

/** Reads what the console is made from; all at once, since each part needs the others. */
export async function loadModel(settings: Settings, token: TokenSource, locale: string): Promise<Model> {
  const { paths } = settings;
  const options = { baseUrl: settings.server, token, locale };
  const first = createClient(options, paths === undefined ? {} : { paths });
  const [entities, enums, permissions, user, captions] = await Promise.all([
    first.metadata.entities({ details: true }),
    first.metadata.enums(),
    first.user.permissions(),
    first.user.info(),
    first.messages.entities(),
  ]);
  const client = createClient(options, { ...(paths !== undefined && { paths }), numbers: numberKindsOf(entities) });
  return {
    client,
    connection: client.connection,
    settings,
    user,
    rights: createRights(permissions),
    entities: new Map(entities.map((entity) => [entity.entityName, entity])),
    enums: new Map(enums.map((each) => [each.name, each])),
    captions,
  };
}

/** The caption of an entity or of an attribute of it; its name without one. */
export const captionOf = ({ captions }: Pick<Model, 'captions'>, entity: string, attribute?: string): string =>
  captions[attribute === undefined ? entity : `${entity}.${attribute}`] ?? attribute ?? entity;
