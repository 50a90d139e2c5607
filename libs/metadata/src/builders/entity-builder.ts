import type {
  EntityAccessLog,
  EntityHistory,
  EntityKind,
  InstanceName,
  KeyGeneration,
  SystemAttributes,
} from '../entities/entity.ts';
import type { EntityCheck, EntityExclusion, EntityIndex } from '../entities/entity-constraints.ts';
import type { DiscriminatorValue, Inheritance } from '../entities/inheritance.ts';
import type { TableLocation } from '../entities/table-location.ts';
import type { EntityUi } from '../entities/ui-hints.ts';
import type { EntityRule } from '../entities/validation-rule.ts';
import type { AttributeBuilder } from './attribute-builder.ts';

/** The attributes of an entity under definition. */
// biome-ignore lint/suspicious/noExplicitAny: the value type of each attribute differs
export type AttributeBuilders = Readonly<Record<string, AttributeBuilder<any>>>;

/** Groups of system attributes that an entity can include. */
export interface Traits {
  /** `version: int`, counted up by every update. */
  readonly versioned?: boolean;
  /** `createdDate`, `createdBy`, `lastModifiedDate`, `lastModifiedBy`; or those of them that there are. */
  readonly audited?: boolean | readonly AuditAttribute[];
  /** `deletedDate`, `deletedBy`, or the date alone; a deletion only sets them. */
  readonly softDeleted?: boolean | readonly ['deletedDate'];
}

/** A system attribute with a user or time of creation or of the last change. */
export type AuditAttribute = Exclude<keyof SystemAttributes, 'version' | 'deletedDate' | 'deletedBy'>;

const AUDIT_ATTRIBUTES: readonly AuditAttribute[] = ['createdDate', 'createdBy', 'lastModifiedDate', 'lastModifiedBy'];

/** Names of the system attributes that the traits bring, in the order of the metadata. */
export function traitAttributes({ versioned, audited, softDeleted }: Traits): readonly (keyof SystemAttributes)[] {
  const listed = audited === true ? AUDIT_ATTRIBUTES : audited || [];
  return [
    ...(versioned === true ? (['version'] as const) : []),
    ...AUDIT_ATTRIBUTES.filter((name) => listed.includes(name)),
    ...(softDeleted === true ? (['deletedDate', 'deletedBy'] as const) : softDeleted || []),
  ];
}

/** The result of the builders and the input of `buildModel`. */
export interface EntityDefinition<A extends AttributeBuilders = AttributeBuilders> {
  /** `<prefix>_<Name>`, as in the paths of the API: `sales_Order`. */
  readonly name: string;
  /** Whether instances are stored in a table of their own, in the row of another entity, or not at all. */
  readonly kind: EntityKind;
  /** Instances are always of a descendant. */
  readonly abstract: boolean;
  /** Name of the entity that this one extends. */
  readonly ancestor: string | undefined;
  /** The key attribute; undefined if the ancestor has it, or if there is none. */
  readonly key: { readonly attribute: string; readonly generation: KeyGeneration } | undefined;
  /** System attributes that the platform fills. */
  readonly traits: Traits;
  /** Own attributes without the inherited ones and those of the traits, in this order. */
  readonly attributes: A;
  /** How the readable name of an instance is created. */
  readonly instanceName: InstanceName | undefined;
  /** Rules on several attributes together. */
  readonly rules: readonly EntityRule[];
  /** Indexes besides those of unique attributes and foreign keys. */
  readonly indexes: readonly EntityIndex[];
  /** Conditions that the database checks, by name. */
  readonly checks?: Readonly<Record<string, EntityCheck>>;
  /** Periods that must not overlap, by name. */
  readonly exclusions?: Readonly<Record<string, EntityExclusion>>;
  /** The table, if its name is not derived from that of the entity. */
  readonly table?: TableLocation;
  /** Former name of the entity, or of its table. */
  readonly renamedFrom?: string;
  /** How the rows of descendants are stored; only of a root. */
  readonly inheritance?: Inheritance;
  /** Value of the discriminator column in rows of this entity. */
  readonly discriminatorValue?: DiscriminatorValue;
  /** Key columns of the table of a descendant, if they differ from those of the root. */
  readonly keyColumns?: readonly string[];
  /** The table is a view of the database. */
  readonly isView?: true;
  /** Neither clients nor application code can write instances. */
  readonly readOnly?: boolean;
  readonly minimumGroup?: number;
  /** What is recorded of changes. */
  readonly history?: EntityHistory;
  /** Reads are recorded. */
  readonly accessLog?: EntityAccessLog;
  /** Hints for user interfaces. */
  readonly ui?: EntityUi;
}

/** A view of the database. */
export interface ViewOptions {
  /** Schema of the database that has the view. */
  readonly schema: string;
  /** Name of the view in that schema. */
  readonly name: string;
  /** PostgreSQL can write its rows: it is updatable, or has `INSTEAD OF` triggers. By default the entity is read-only. */
  readonly writable?: boolean;
}

/** What an entity has besides its name. */
export interface EntityOptions<A extends AttributeBuilders> {
  /** Attributes by name; responses and metadata have them in this order. */
  readonly attributes: A;
  /**
   * Attribute names and literal texts of the instance name: `['number']`, or
   * `['{code}', ' – ', '{name}']`; a single name may be written without braces.
   */
  readonly instanceName?: readonly string[] | InstanceName;
  /** Rules on several attributes together; a violation returns 400. */
  readonly rules?: readonly EntityRule[];
  /** Further indexes; unique attributes and foreign keys have theirs without it. */
  readonly indexes?: readonly EntityIndex[];
  /** Conditions that the database checks, by name: `{ endAfterStart: '{startsAt} < {endsAt}' }`. A violation returns 400. */
  readonly checks?: Readonly<Record<string, string | EntityCheck>>;
  /**
   * Instances that exclude each other, by name: `{ doubleBooking: { equal: ['doctor'], period: ['startsAt', 'endsAt'] } }`.
   * A violation returns 409.
   */
  readonly exclusions?: Readonly<Record<string, EntityExclusion>>;
  /** Name of the entity this one extends (joined inheritance). */
  readonly extends?: string;
  /** Instances are always of a descendant. */
  readonly abstract?: boolean;
  /**
   * A table of another owner, or with `owned: true` one that migrations create under this name. By default they create
   * the table with a name derived from the entity's.
   */
  readonly table?: TableLocation;
  /**
   * The former name of the entity, or of its table (`shop.buyer`): the next generated migration renames the table, with
   * its rows. To be removed when that migration is written.
   */
  readonly renamedFrom?: string;
  /** How the rows of descendants are stored; of the root. */
  readonly inheritance?: Inheritance;
  /** What the discriminator column has in the rows of this entity. */
  readonly discriminatorValue?: DiscriminatorValue;
  /** The key columns of a descendant's table, in the order of the root's, if their names differ. */
  readonly keyColumns?: readonly string[];
  /** A view instead of a table: not created by migrations, without constraints, and read-only unless it is `writable`. */
  readonly view?: ViewOptions;
  /** Instances cannot be created, changed or deleted, neither by clients nor by application code. */
  readonly readOnly?: boolean;
  /** Records each change of instances and of their composition children; of the root of an inheritance tree. */
  readonly history?: true | EntityHistory;
  /** Records who reads which instances, on any way to them; of the root of an inheritance tree. */
  readonly accessLog?: true | EntityAccessLog;
  /** Aggregates of clients have no groups of fewer instances (contract/aggregates.md#small-groups). */
  readonly minimumGroup?: number;
  /** Hints for user interfaces, which change nothing else. */
  readonly ui?: EntityUi;
}

/** The options of an entity with a key of its own. */
export interface KeyedEntityOptions<A extends AttributeBuilders> extends EntityOptions<A> {
  /** The key attribute; must be among `attributes`. */
  readonly key: string;
  /** How the key of a new instance is made; `assigned` by default: the client sends it. */
  readonly generation?: KeyGeneration;
  /** Attributes that the platform fills: version, audit, soft deletion. */
  readonly traits?: Traits;
}

function instanceNameOf(given: readonly string[] | InstanceName | undefined): InstanceName | undefined {
  if (given === undefined || 'kind' in given) return given;
  const parts = given.map((part) => {
    const braced = /^\{(\w+)\}$/.exec(part);
    if (braced?.[1] !== undefined) return { attribute: braced[1] };
    return given.length === 1 ? { attribute: part } : { text: part };
  });
  return { kind: 'parts', parts };
}

function definition<A extends AttributeBuilders>(
  name: string,
  kind: EntityKind,
  options: EntityOptions<A>,
  key: EntityDefinition['key'],
  traits: Traits,
): EntityDefinition<A> {
  return Object.freeze({
    name,
    kind,
    abstract: options.abstract ?? false,
    ancestor: options.extends,
    key: options.extends === undefined ? key : undefined,
    traits: options.extends === undefined ? traits : {},
    attributes: options.attributes,
    instanceName: instanceNameOf(options.instanceName),
    rules: options.rules ?? [],
    indexes: options.indexes ?? [],
    ...(options.checks !== undefined && { checks: checksOf(options.checks) }),
    ...(options.exclusions !== undefined && { exclusions: options.exclusions }),
    ...relationOf(options),
    ...(options.renamedFrom !== undefined && { renamedFrom: options.renamedFrom }),
    ...inheritanceOf(options),
    ...((options.readOnly === true || isReadOnlyView(options)) && { readOnly: true }),
    ...(options.history !== undefined && { history: options.history === true ? {} : options.history }),
    ...(options.minimumGroup !== undefined && { minimumGroup: options.minimumGroup }),
    ...(options.accessLog !== undefined && { accessLog: options.accessLog === true ? {} : options.accessLog }),
    ...(options.ui !== undefined && { ui: options.ui }),
  });
}

const checksOf = (checks: Readonly<Record<string, string | EntityCheck>>): Readonly<Record<string, EntityCheck>> =>
  Object.fromEntries(
    Object.entries(checks).map(([name, check]) => [name, typeof check === 'string' ? { condition: check } : check]),
  );

type Relation = Pick<EntityOptions<AttributeBuilders>, 'table' | 'view'>;

function relationOf({ table, view }: Relation): Pick<EntityDefinition, 'table' | 'isView'> {
  if (view !== undefined) return { table: { schema: view.schema, name: view.name }, isView: true };
  return table === undefined ? {} : { table };
}

const inheritanceOf = ({
  inheritance,
  discriminatorValue,
  keyColumns,
}: Pick<EntityOptions<AttributeBuilders>, 'inheritance' | 'discriminatorValue' | 'keyColumns'>): Pick<
  EntityDefinition,
  'inheritance' | 'discriminatorValue' | 'keyColumns'
> => ({
  ...(inheritance === undefined ? {} : { inheritance }),
  ...(discriminatorValue === undefined ? {} : { discriminatorValue }),
  ...(keyColumns === undefined ? {} : { keyColumns }),
});

const isReadOnlyView = ({ view }: Relation): boolean => view !== undefined && view.writable !== true;

/** A stored entity with `id: uuid`, `version` and audit attributes: the user and time of creation and of the last change. */
export const standardEntity = <const A extends AttributeBuilders>(
  name: string,
  options: EntityOptions<A>,
): EntityDefinition<A> =>
  definition(name, 'entity', options, { attribute: 'id', generation: 'uuid' }, { versioned: true, audited: true });

/** A standard entity with soft deletion. */
export const softDeletedEntity = <const A extends AttributeBuilders>(
  name: string,
  options: EntityOptions<A>,
): EntityDefinition<A> =>
  definition(
    name,
    'entity',
    options,
    { attribute: 'id', generation: 'uuid' },
    { versioned: true, audited: true, softDeleted: true },
  );

/** A stored entity with a key of its own: text, number, or an embeddable for a composite key. */
export const keyedEntity = <const A extends AttributeBuilders>(
  name: string,
  options: KeyedEntityOptions<A>,
): EntityDefinition<A> =>
  definition(
    name,
    'entity',
    options,
    { attribute: options.key, generation: options.generation ?? 'assigned' },
    options.traits ?? {},
  );

/**
 * Rows of a table or view without a key: a read-only list. Its instances have no `id`, and no references
 * (contract/reading.md#without-key).
 */
export const keylessEntity = <const A extends AttributeBuilders>(
  name: string,
  options: Pick<EntityOptions<A>, 'attributes' | 'instanceName' | 'table' | 'view' | 'ui'>,
): EntityDefinition<A> => definition(name, 'entity', { ...options, readOnly: true }, undefined, {});

/** Values kept inside another entity's row, or the parts of a composite key. */
export const embeddable = <const A extends AttributeBuilders>(
  name: string,
  options: Pick<EntityOptions<A>, 'attributes' | 'ui'>,
): EntityDefinition<A> => definition(name, 'embeddable', options, undefined, {});

/** An entity that is not stored. A key is optional. */
export const dto = <const A extends AttributeBuilders>(
  name: string,
  options: EntityOptions<A> & { readonly key?: string },
): EntityDefinition<A> =>
  definition(
    name,
    'dto',
    options,
    options.key === undefined ? undefined : { attribute: options.key, generation: 'assigned' },
    {},
  );

/** The instance type that a definition describes, for application code. Every attribute may be absent. */
export type InstanceOf<D extends EntityDefinition> = {
  readonly [K in keyof D['attributes']]?: D['attributes'][K] extends AttributeBuilder<infer T> ? T | null : never;
} & { readonly id?: unknown };
