/**
 * The types of an application, which `lintel client` writes: entities with their fetch plans and queries, and services.
 */
export interface ApiTypes {
  /** Entities by name. */
  readonly entities: Readonly<Record<string, EntityTypes>>;
  /** Embedded objects and others that are no entities of the API. */
  readonly objects: Readonly<Record<string, ObjectTypes>>;
  /** Service methods by the names of the service and the method. */
  readonly services: Readonly<Record<string, Readonly<Record<string, CallTypes>>>>;
}

/** The types of an object: what an instance shows, and how its attributes are compared. */
export interface ObjectTypes {
  /** Everything that an instance can show; what it shows is decided by fetch plan and rights. */
  readonly instance: object;
  /** The kind of each attribute. */
  readonly attributes: object;
}

/** The types of an entity, with its fetch plans and queries. */
export interface EntityTypes extends ObjectTypes {
  /** What the named fetch plans show. */
  readonly plans: object;
  /** Predefined queries of the entity by name. */
  readonly queries: Readonly<Record<string, CallTypes>>;
}

/** The types of a query or service method. */
export interface CallTypes {
  /** An object with all parameters by name. */
  readonly parameters: object;
  /** What the call resolves with. */
  readonly result: unknown;
}

/**
 * What an attribute can be compared with: `text` has the operators of texts, `ordered` those of numbers and times,
 * `plain` only equality, `json` all of them. A reference or embedded object leads to an entity or object.
 */
export type AttributeKind = 'text' | 'ordered' | 'plain' | 'json' | { readonly to: string };

/** The names that a type has as members. */
export type Name<T> = Extract<keyof T, string>;
/** The names of the entities of an application. */
export type EntityName<A extends ApiTypes> = Name<A['entities']>;
/** The names of the fetch plans of an entity. */
export type PlanName<A extends ApiTypes, E> = E extends keyof A['entities'] ? Name<A['entities'][E]['plans']> : never;
/** The names of the predefined queries of an entity. */
export type QueryName<A extends ApiTypes, E extends EntityName<A>> = Name<A['entities'][E]['queries']>;

/** The types of an entity or object. */
export type TypesOf<A extends ApiTypes, N> = N extends keyof A['entities']
  ? A['entities'][N]
  : N extends keyof A['objects']
    ? A['objects'][N]
    : never;

/** What an instance of an entity or object can show. */
export type InstanceOf<A extends ApiTypes, N> = TypesOf<A, N>['instance'];

/** The entity or object to which an attribute leads; never for a value. */
export type TargetOf<A extends ApiTypes, N, K> = K extends keyof TypesOf<A, N>['attributes']
  ? TypesOf<A, N>['attributes'][K] extends { readonly to: infer To }
    ? To
    : never
  : never;

// biome-ignore lint/suspicious/noExplicitAny: nothing is known of it
type Unknown = any;

/** An application whose types are unknown: every name is accepted. */
export interface UntypedApi extends ApiTypes {
  /** Any name is an entity, with any attributes, plans and queries. */
  readonly entities: Readonly<
    Record<
      string,
      {
        readonly instance: Readonly<Record<string, Unknown>>;
        readonly attributes: Unknown;
        readonly plans: Readonly<Record<string, Readonly<Record<string, Unknown>>>>;
        readonly queries: Readonly<Record<string, { readonly parameters: object; readonly result: Unknown }>>;
      }
    >
  >;
  /** Any name is a service, with any methods. */
  readonly services: Readonly<
    Record<string, Readonly<Record<string, { readonly parameters: object; readonly result: Unknown }>>>
  >;
}
