import type { Attribute } from './attribute.ts';
import type { EntityCheck, EntityExclusion, EntityIndex } from './entity-constraints.ts';
import type { DiscriminatorValue, Inheritance } from './inheritance.ts';
import type { TableLocation } from './table-location.ts';
import type { EntityUi } from './ui-hints.ts';
import type { EntityRule } from './validation-rule.ts';

/**
 * How the readable name of an instance is created (contract/instances.md#instance-name).
 *
 * The database can build `parts`; `method` needs the loaded values.
 */
export type InstanceName =
  | {
      readonly kind: 'parts';
      /** Literal texts and attribute names, in order. */
      readonly parts: readonly ({ readonly text: string } | { readonly attribute: string })[];
    }
  | {
      readonly kind: 'method';
      readonly dependsOn: readonly string[];
      /**
       * `values` contains the attributes named in `dependsOn`: texts as strings, numbers as their exact
       * decimal text, enums as their caption in the caller's locale, references as their own instance
       * name, `null` if empty or hidden.
       */
      readonly format: (values: Readonly<Record<string, string | null>>) => string;
    };

/** The attributes an instance name needs. */
export const instanceNameAttributes = (name: InstanceName): readonly string[] =>
  name.kind === 'method' ? name.dependsOn : name.parts.flatMap((part) => ('attribute' in part ? [part.attribute] : []));

/** The literal texts of an instance name. */
export const instanceNameTexts = (name: InstanceName): readonly string[] =>
  name.kind === 'method' ? [] : name.parts.flatMap((part) => ('text' in part ? [part.text] : []));

/** What gives the key of a new instance: the service (`uuid`), the database (`identity`) or the client (`assigned`). */
export type KeyGeneration = 'uuid' | 'identity' | 'assigned';

/** The primary key: one attribute, or an embeddable's attributes for a composite key. */
export interface EntityKey {
  /** Name of the key attribute; of the embedded attribute for a composite key. */
  readonly attribute: string;
  /** Who sets the key of a new instance: the platform, the database, or the caller. */
  readonly generation: KeyGeneration;
  /** Names of the key's parts inside the embeddable; empty for a single key. */
  readonly parts: readonly string[];
}

/** Names of the system attributes an entity has; absent if it has none. */
export interface SystemAttributes {
  /** Counted up by every update; compared by `If-Match`. */
  readonly version?: string;
  /** Set when the instance is created. */
  readonly createdDate?: string;
  /** Set when the instance is created, to the user name of the caller. */
  readonly createdBy?: string;
  /** Set by every save. */
  readonly lastModifiedDate?: string;
  /** Set by every save, to the user name of the caller. */
  readonly lastModifiedBy?: string;
  /** Set by a deletion, which keeps the row (soft deletion). */
  readonly deletedDate?: string;
  /** Set with `deletedDate`, to the user name of the caller. */
  readonly deletedBy?: string;
}

/** What is recorded of the changes of instances (contract/history.md). */
export interface EntityHistory {
  /** Attributes whose changes are recorded; by default all. */
  readonly attributes?: readonly string[];
  /** Whether each write gives its reason in `X-Change-Reason`. */
  readonly requiresReason?: boolean;
  /** How long changes are kept, in years, months, weeks and days (ISO 8601): `P2Y`, `P90D`; by default for ever. */
  readonly retention?: string;
}

/** The record of who reads instances (contract/access-log.md). */
export interface EntityAccessLog {
  /** Age of entries that are pruned, as of a history; by default they are kept for ever. */
  readonly retention?: string;
}

/** How instances of an entity exist. */
export type EntityKind =
  /** Stored in a separate table, served by the entity API. */
  | 'entity'
  /** Values inside another entity's row. */
  | 'embeddable'
  /** Not stored; a parameter or result of service methods. */
  | 'dto';

/** An entity of the model, with everything it inherits. */
export interface Entity {
  /** `<prefix>_<Name>`, as in the paths of the API: `sales_Order`. */
  readonly name: string;
  /** Whether its instances are stored, and where. */
  readonly kind: EntityKind;
  /** Instances are always of a descendant. */
  readonly abstract: boolean;
  /** Name of the nearest ancestor entity. */
  readonly ancestor: string | undefined;
  /** Names of the direct descendants (joined inheritance). */
  readonly descendants: readonly string[];
  /** All attributes: the farthest ancestor's first, each in declaration order, own ones last. */
  readonly attributes: ReadonlyMap<string, Attribute>;
  /** Absent for embeddables, for DTOs without one, and for entities that are only lists of rows. */
  readonly key: EntityKey | undefined;
  /** Which of its attributes the platform fills. */
  readonly system: SystemAttributes;
  /** How the readable name is created; undefined for an entity without one. */
  readonly instanceName: InstanceName | undefined;
  /** Rules on several attributes together, those of the ancestors included. */
  readonly rules: readonly EntityRule[];
  /** Indexes besides those of unique attributes and foreign keys. */
  readonly indexes: readonly EntityIndex[];
  /** Conditions that the database checks, by name. */
  readonly checks?: Readonly<Record<string, EntityCheck>>;
  /** Periods that must not overlap, by name. */
  readonly exclusions?: Readonly<Record<string, EntityExclusion>>;
  /**
   * The table, if it belongs to another owner or has another name. By default the name of the table is derived from the
   * entity's.
   */
  readonly table?: TableLocation;
  /** Its former name, or the former name of its table, until a migration has renamed the table. */
  readonly renamedFrom?: string;
  /** Of the root of an inheritance tree; without it, tables are joined, and rows have the names of their entities. */
  readonly inheritance?: Inheritance;
  /** What the discriminator column has in the rows of this entity; by default its name. */
  readonly discriminatorValue?: DiscriminatorValue;
  /** The key columns of the table of a descendant, in the order of the root's, if their names differ. */
  readonly keyColumns?: readonly string[];
  /** The table is a view, also a materialized one: it has no constraints, and no foreign key can refer to it. */
  readonly isView?: true;
  /** Instances cannot be created, changed or deleted, neither by clients nor by application code. */
  readonly readOnly?: true;
  /** Changes of its instances and of their composition children are recorded; of the root of an inheritance tree. */
  readonly history?: EntityHistory;
  /** Who reads which of its instances is recorded; of the root of an inheritance tree. */
  readonly accessLog?: EntityAccessLog;
  /** Aggregates of clients have no groups of fewer instances. */
  readonly minimumGroup?: number;
  /** Hints for user interfaces. */
  readonly ui?: EntityUi;
}

/** Whether the entity has soft deletion (contract/writing.md#soft-deletion). */
export const isSoftDeleted = (entity: Entity): boolean => entity.system.deletedDate !== undefined;

/**
 * The attributes of the instance name. A computed one is replaced by the stored ones it depends
 * on (contract/fetch-plans.md#built-in); a DTO has nothing stored.
 */
export function storedNameAttributes(entity: Entity): readonly string[] {
  if (entity.instanceName === undefined) return [];
  return instanceNameAttributes(entity.instanceName).flatMap((name) => {
    const attribute = entity.attributes.get(name);
    return attribute !== undefined && !attribute.persistent && entity.kind !== 'dto' ? attribute.dependsOn : [name];
  });
}
