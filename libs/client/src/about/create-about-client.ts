import { type CallOptions, callOf } from '../connection/call.ts';
import type { Connection } from '../connection/create-connection.ts';
import { pathOf, withQuery } from '../connection/paths.ts';

/** An attribute of an entity, as the server describes it. */
export interface AttributeInfo {
  readonly name: string;
  readonly attributeType: 'DATATYPE' | 'ENUM' | 'ASSOCIATION' | 'COMPOSITION' | 'EMBEDDED';
  /** Name of the datatype or enum; of a reference, the entity. */
  readonly type: string;
  readonly cardinality: 'NONE' | 'ONE_TO_ONE' | 'MANY_TO_ONE' | 'ONE_TO_MANY' | 'MANY_TO_MANY';
  readonly mandatory: boolean;
  readonly readOnly: boolean;
  /** The caption. */
  readonly description: string;
  /** Whether it has a column. */
  readonly persistent: boolean;
  readonly transient: boolean;
}

/** An attribute that an administrator has defined; its name begins with `+`. */
export interface DynamicAttributeInfo extends AttributeInfo {
  readonly dynamic: true;
  readonly category: string;
  /** Values to choose from. */
  readonly values?: readonly string[];
}

/** An entity with its attributes, those of its ancestors included. */
export interface EntityInfo {
  readonly entityName: string;
  /** The entity that this one extends. */
  readonly ancestor: string | null;
  readonly properties: readonly AttributeInfo[];
  /** Those that administrators have defined; undefined if there are none. */
  readonly dynamicProperties?: readonly DynamicAttributeInfo[];
}

/** A rule of the values of an attribute; bounds are decimal texts. */
export type RuleInfo =
  | { readonly kind: 'size'; readonly min: number; readonly max: number }
  | { readonly kind: 'not-blank' | 'email' }
  | { readonly kind: 'pattern'; readonly pattern: string }
  | { readonly kind: 'min' | 'max'; readonly value: string; readonly inclusive: boolean }
  | { readonly kind: 'past' | 'future'; readonly orPresent: boolean };

/** An attribute with what forms need. */
export interface DetailedAttributeInfo extends AttributeInfo {
  /** The maximum number of characters. */
  readonly length?: number;
  /** Digits in all, and after the point. */
  readonly precision?: number;
  readonly scale?: number;
  readonly unique?: true;
  readonly defaultValue?: unknown;
  readonly rules?: readonly RuleInfo[];
  /** No response has its value. */
  readonly writeOnly?: true;
  /** Of a reference: the attribute at the other end. */
  readonly inverse?: string;
  /** Of a reference: the foreign key or the link table is here. */
  readonly owning?: boolean;
  readonly ui?: { readonly widget?: 'textarea' | 'radio' | 'checkbox' | 'hidden' };
}

/** An entity with what forms need. */
export interface DetailedEntityInfo extends EntityInfo {
  readonly kind: 'entity' | 'embeddable' | 'dto';
  /** Instances are always of a descendant. */
  readonly abstract: boolean;
  readonly key: string | null;
  readonly keyGeneration: 'uuid' | 'identity' | 'assigned' | null;
  /** The stored attributes of the instance name. */
  readonly nameAttributes: readonly string[];
  readonly ui?: {
    readonly order?: readonly string[];
    readonly groups?: readonly {
      readonly name: string;
      /** The caption. */
      readonly description: string;
      readonly attributes: readonly string[];
    }[];
    readonly listPlan?: FetchPlanInfo;
  };
  readonly properties: readonly DetailedAttributeInfo[];
}

/** Asks for lengths, rules, defaults and hints for user interfaces, too. */
export interface DetailsOptions extends CallOptions {
  readonly details: true;
}

/** An enum with its constants. */
export interface EnumInfo {
  readonly name: string;
  readonly values: readonly { readonly name: string; readonly id: string | number; readonly caption: string }[];
}

/** A named fetch plan; properties with a plan are references. */
export interface FetchPlanInfo {
  readonly name?: string;
  readonly entity?: string;
  readonly properties: readonly (string | { readonly name: string; readonly fetchPlan: FetchPlanInfo })[];
}

/** The model, with captions in the language of the client. */
export interface MetadataClient {
  entities(options: DetailsOptions): Promise<readonly DetailedEntityInfo[]>;
  entities(options?: CallOptions): Promise<readonly EntityInfo[]>;
  entity(name: string, options: DetailsOptions): Promise<DetailedEntityInfo>;
  entity(name: string, options?: CallOptions): Promise<EntityInfo>;
  fetchPlans(entity: string, options?: CallOptions): Promise<readonly FetchPlanInfo[]>;
  fetchPlan(entity: string, name: string, options?: CallOptions): Promise<FetchPlanInfo>;
  enums(options?: CallOptions): Promise<readonly EnumInfo[]>;
  enum(name: string, options?: CallOptions): Promise<EnumInfo>;
  datatypes(options?: CallOptions): Promise<readonly { readonly id: string; readonly name: string }[]>;
}

/** Captions by their keys: `sales_Order.number`, `sales.OrderStatus.NEW`. */
export type Messages = Readonly<Record<string, string>>;

/** Captions, in the language of the client. */
export interface MessageClient {
  /** Of all entities, or of one. */
  entities(entity?: string, options?: CallOptions): Promise<Messages>;
  /** Of all enums, or of one. */
  enums(name?: string, options?: CallOptions): Promise<Messages>;
}

/** The user of the token. */
export interface UserInfo {
  readonly username: string;
  /** As the API has it: `zh_CN`. */
  readonly locale: string;
  /** Of the entity `sec_User`, those of the application included. */
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** What the caller may do; everything that is denied has 0. */
export interface Permissions {
  /** Codes of the roles; row-level roles as `row_level_role:<code>`. */
  readonly authorities: readonly string[];
  /** `<entity>:create|read|update|delete` */
  readonly entities: readonly Permission[];
  /** `<entity>:<attribute>`: 0 hidden, 1 may view, 2 may change. */
  readonly entityAttributes: readonly { readonly target: string; readonly value: 0 | 1 | 2 }[];
  /** Permissions by name, such as `rest.fileUpload.enabled`. */
  readonly specifics: readonly Permission[];
}

/** Whether the caller may do something. */
export interface Permission {
  readonly target: string;
  readonly value: 0 | 1;
  /** With the value 0: the value of `acr_values` at a login after which the caller may do it. */
  readonly acr?: string;
}

/** What the server knows of the caller. */
export interface UserClient {
  info(options?: CallOptions): Promise<UserInfo>;
  permissions(options?: CallOptions): Promise<Permissions>;
  /** Sets the language of the login, for requests without a language of their own. */
  setLocale(locale: string, options?: CallOptions): Promise<void>;
}

/** What the server says about its model, its texts and the caller. */
export interface AboutClient {
  readonly metadata: MetadataClient;
  readonly messages: MessageClient;
  readonly user: UserClient;
}

/** The methods for metadata, messages and the user of a connection. */
export function createAboutClient(connection: Connection): AboutClient {
  const { base, ...configured } = connection.paths;
  const paths = {
    metadata: `${base}/metadata`,
    messages: `${base}/messages`,
    userInfo: `${base}/userInfo`,
    permissions: `${base}/permissions`,
    userSession: `${base}/user-session`,
    ...configured,
  };
  const get = async <T>(
    path: string,
    segments: readonly (string | undefined)[],
    options?: CallOptions & Partial<DetailsOptions>,
  ): Promise<T> => {
    const given = segments.filter((segment) => segment !== undefined);
    const { body } = await connection.read({
      method: 'GET',
      path: withQuery(pathOf(path, ...given), { details: options?.details }),
      repeatable: true,
      ...callOf(options),
    });
    return body as T;
  };
  return {
    metadata: {
      entities: <T>(options?: CallOptions) => get<T>(`${paths.metadata}/entities`, [], options),
      entity: <T>(name: string, options?: CallOptions) => get<T>(`${paths.metadata}/entities`, [name], options),
      fetchPlans: (entity, options) => get(`${paths.metadata}/entities`, [entity, 'fetchPlans'], options),
      fetchPlan: (entity, name, options) => get(`${paths.metadata}/entities`, [entity, 'fetchPlans', name], options),
      enums: (options) => get(`${paths.metadata}/enums`, [], options),
      enum: (name, options) => get(`${paths.metadata}/enums`, [name], options),
      datatypes: (options) => get(`${paths.metadata}/datatypes`, [], options),
    },
    messages: {
      entities: (entity, options) => get(`${paths.messages}/entities`, [entity], options),
      enums: (name, options) => get(`${paths.messages}/enums`, [name], options),
    },
    user: {
      info: (options) => get(paths.userInfo, [], options),
      permissions: (options) => get(paths.permissions, [], options),
      setLocale: async (locale, options) => {
        await connection.read({
          method: 'PUT',
          path: `${paths.userSession}/locale`,
          headers: { 'accept-language': locale },
          repeatable: true,
          ...callOf(options),
        });
      },
    },
  };
}
