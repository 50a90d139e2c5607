import { type CallOptions, callOf } from '../connection/call.ts';
import type { Connection } from '../connection/create-connection.ts';
import { pathOf, withQuery } from '../connection/paths.ts';

/** An attribute of an entity, as the server describes it. */
export interface AttributeInfo {
  /** As in instances, filters and fetch plans. */
  readonly name: string;
  /** The kind of the attribute: a value, a constant of an enum, a reference, or an embedded object. */
  readonly attributeType: 'DATATYPE' | 'ENUM' | 'ASSOCIATION' | 'COMPOSITION' | 'EMBEDDED';
  /** Name of the datatype or enum; of a reference, the entity. */
  readonly type: string;
  /** Of a reference; `NONE` for values and embedded objects. */
  readonly cardinality: 'NONE' | 'ONE_TO_ONE' | 'MANY_TO_ONE' | 'ONE_TO_MANY' | 'MANY_TO_MANY';
  /** A value must be present when an instance is saved. */
  readonly mandatory: boolean;
  /** No request can write it. What the caller may write is in `Permissions`. */
  readonly readOnly: boolean;
  /** The caption. */
  readonly description: string;
  /** Whether it has a column. */
  readonly persistent: boolean;
  /** Not stored: computed by the server. */
  readonly transient: boolean;
}

/** An attribute that an administrator has defined; its name begins with `+`. */
export interface DynamicAttributeInfo extends AttributeInfo {
  /** Attributes of the model do not have this member. */
  readonly dynamic: true;
  /** Name of the group of attributes that the administrator has put it into. */
  readonly category: string;
  /** Values to choose from. */
  readonly values?: readonly string[];
}

/** An entity with its attributes, including inherited ones. */
export interface EntityInfo {
  /** `<prefix>_<Name>`, as in the paths of the API. */
  readonly entityName: string;
  /** The entity that this one extends. */
  readonly ancestor: string | null;
  /** All attributes, those of the farthest ancestor first, also those that the caller may not view. */
  readonly properties: readonly AttributeInfo[];
  /** Those that administrators have defined; undefined if there are none. */
  readonly dynamicProperties?: readonly DynamicAttributeInfo[];
}

/** A rule of the values of an attribute; bounds are decimal texts. */
export type RuleInfo = {
  /** Text of a violation in the language of the request, if the rule has one of its own. */
  readonly message?: string;
} & (
  | { readonly kind: 'size'; readonly min: number; readonly max: number }
  | { readonly kind: 'not-blank' | 'email' }
  | { readonly kind: 'pattern'; readonly pattern: string }
  | { readonly kind: 'min' | 'max'; readonly value: string; readonly inclusive: boolean }
  | { readonly kind: 'past' | 'future'; readonly orPresent: boolean }
);

/** An attribute with what forms need. */
export interface DetailedAttributeInfo extends AttributeInfo {
  /** The maximum number of characters. */
  readonly length?: number;
  /** Digits in all, and after the point. */
  readonly precision?: number;
  /** Digits after the point; decimals only. */
  readonly scale?: number;
  /** No two instances have the same value, except those that are soft-deleted. */
  readonly unique?: true;
  /** Value of a new instance that was sent without one, in its JSON form. */
  readonly defaultValue?: unknown;
  /** The database sets the value of a new instance that was sent without one. */
  readonly databaseDefault?: true;
  /** Rules that the server checks before a save, without those in code of the application. */
  readonly rules?: readonly RuleInfo[];
  /** No response has its value. */
  readonly writeOnly?: true;
  /** Its values are about a person. */
  readonly personal?: true;
  /** Of a reference: the attribute at the other end. */
  readonly inverse?: string;
  /** Of a reference: the foreign key or the link table is here. */
  readonly owning?: boolean;
  /** The reference leads to the parent in a tree. */
  readonly tree?: true;
  /** `q` searches words of the text, also beginnings of words (`prefix`), or the targets of the reference. */
  readonly searchable?: 'words' | 'prefix' | 'targets';
  /** How a form edits the value, if not as its type suggests. */
  readonly ui?: { readonly widget?: 'textarea' | 'radio' | 'checkbox' | 'hidden' };
}

/** An entity with what forms need. */
export interface DetailedEntityInfo extends EntityInfo {
  /** Whether instances are entities of the API, parts of others, or only values of services. */
  readonly kind: 'entity' | 'embeddable' | 'dto';
  /** Instances are always of a descendant. */
  readonly abstract: boolean;
  /** Name of the key attribute; null without one. */
  readonly key: string | null;
  /** What gives the key of a new instance: the service, the database, or with `assigned` the client. */
  readonly keyGeneration: 'uuid' | 'identity' | 'assigned' | null;
  /** The stored attributes of the instance name. */
  readonly nameAttributes: readonly string[];
  /** Hints for forms and lists: the order and groups of attributes, and the columns. */
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
  /** With lengths, rules, defaults and hints. */
  readonly properties: readonly DetailedAttributeInfo[];
}

/** Asks for lengths, rules, defaults and hints for user interfaces, too. */
export interface DetailsOptions extends CallOptions {
  /** Selects the overload with `DetailedEntityInfo`. */
  readonly details: true;
}

/** An enum with its constants. */
export interface EnumInfo {
  /** Fully qualified name: `sales.OrderStatus`. */
  readonly name: string;
  /** The constants in the order of the model; requests have their names. */
  readonly values: readonly { readonly name: string; readonly id: string | number; readonly caption: string }[];
}

/** A named fetch plan; properties with a plan are references. */
export interface FetchPlanInfo {
  /** Missing for a plan inside of another one. */
  readonly name?: string;
  /** The entity whose instances the plan is for; missing for a plan inside of another one. */
  readonly entity?: string;
  /** Attributes of the plan; those with a plan of their own are references or embedded objects. */
  readonly properties: readonly (string | { readonly name: string; readonly fetchPlan: FetchPlanInfo })[];
}

/** The model, with captions in the language of the client. */
export interface MetadataClient {
  /** All entities, embeddables and DTOs, with lengths, rules, defaults and hints. */
  entities(options: DetailsOptions): Promise<readonly DetailedEntityInfo[]>;
  /** All entities, embeddables and DTOs, also those that the caller may not read. */
  entities(options?: CallOptions): Promise<readonly EntityInfo[]>;
  /** One entity, with lengths, rules, defaults and hints. */
  entity(name: string, options: DetailsOptions): Promise<DetailedEntityInfo>;
  /** One entity. Rejects with a `NotFoundError` if the model has none with this name. */
  entity(name: string, options?: CallOptions): Promise<EntityInfo>;
  /** The named fetch plans of an entity, without the built-in ones. */
  fetchPlans(entity: string, options?: CallOptions): Promise<readonly FetchPlanInfo[]>;
  /** One fetch plan of an entity; also a built-in one, such as `_base`. */
  fetchPlan(entity: string, name: string, options?: CallOptions): Promise<FetchPlanInfo>;
  /** All enums with their constants and captions. */
  enums(options?: CallOptions): Promise<readonly EnumInfo[]>;
  /** One enum. */
  enum(name: string, options?: CallOptions): Promise<EnumInfo>;
  /** The datatypes of attributes. */
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
  /** The name that the user logs in with. */
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
  /** 1 if the caller may do it, 0 if not. */
  readonly value: 0 | 1;
  /** With the value 0: the value of `acr_values` at a login after which the caller may do it. */
  readonly acr?: string;
}

/** What the server knows of the caller. */
export interface UserClient {
  /** User name, locale and attributes of the caller. */
  info(options?: CallOptions): Promise<UserInfo>;
  /** What the caller may do with entities and attributes, and which named permissions the caller has. */
  permissions(options?: CallOptions): Promise<Permissions>;
  /** Sets the language of the login, for requests without a language of their own. */
  setLocale(locale: string, options?: CallOptions): Promise<void>;
}

/** What the server says about its model, its texts and the caller. */
export interface AboutClient {
  /** Entities, enums, fetch plans and datatypes. */
  readonly metadata: MetadataClient;
  /** Captions of entities and enums. */
  readonly messages: MessageClient;
  /** The caller. */
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
