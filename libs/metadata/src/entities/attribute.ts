import type { Datatype } from '../datatypes/datatypes.ts';
import type { AttributeSearch } from './searchable.ts';
import type { TableLocation } from './table-location.ts';
import type { AttributeUi } from './ui-hints.ts';
import type { ValidationRule } from './validation-rule.ts';

/** What every attribute has. */
interface AttributeBase {
  readonly name: string;
  /** Name of the entity that declares it (an ancestor's, if inherited). */
  readonly declaredBy: string;
  /** A value must be present when an instance is saved. */
  readonly mandatory: boolean;
  /** Cannot be written through the API. */
  readonly readOnly: boolean;
  /** The database alone gives its value, which is never written: a computed column, a number of a sequence. */
  readonly generated?: true;
  /** A new row without a value gets the default of the column. */
  readonly databaseDefault?: true;
  /** Stored in the database. */
  readonly persistent: boolean;
  /** Never leaves the service, in any response (contract/instances.md#object, `@Secret`). Still accepted on input. */
  readonly secret: boolean;
  /** Its values are about a person; a reference leads to the person whose data the instance has (contract/personal-data.md). */
  readonly personal?: true;
  /** Rules checked before a save, besides `mandatory`. */
  readonly rules: readonly ValidationRule[];
  /** Attributes that a computed (not persistent) attribute needs loaded. */
  readonly dependsOn: readonly string[];
  /** Names of its columns, if they are not derived from its name. */
  readonly columns?: readonly string[];
  /** PostgreSQL type of its column, if it is not the default of the datatype. */
  readonly columnType?: string;
  /** Text of the violation, if its values are unique and another one has the same. */
  readonly uniqueMessage?: string;
  /** The former name of the attribute, of its column or of its table, until a migration has renamed this. */
  readonly renamedFrom?: string;
  /** Hints for user interfaces. */
  readonly ui?: AttributeUi;
}

/** A link table of another owner or with other names: the columns of the owning end and those of the target. */
export interface LinkStorage extends TableLocation {
  /** Columns with the key of the owning end, in the order of the key. */
  readonly columns: readonly string[];
  /** Columns with the key of the target, in the order of its key. */
  readonly targetColumns: readonly string[];
}

/** A value of a JSON attribute, as application code sees it. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

/** The value of a default: a constant that is valid JSON input for the attribute. */
export type DefaultValue = NonNullable<JsonValue>;

/** A JSON Schema, draft-07. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** What a column contains for true and for false. */
export interface StoredBooleans {
  readonly true: string | number;
  readonly false: string | number;
}

/** An attribute with a scalar value. */
export interface DatatypeAttribute extends AttributeBase {
  readonly kind: 'datatype';
  /** Decides the JSON form of the values, and how they are compared. */
  readonly datatype: Datatype;
  /** Greatest number of characters; texts only. */
  readonly length: number | undefined;
  /** Digits in all and after the point; decimals only. */
  readonly precision: number | undefined;
  /** Digits after the point; decimals only. */
  readonly scale: number | undefined;
  /** Unique among rows that are not soft-deleted (contract/decisions.md#47). */
  readonly unique: boolean;
  /** Value of a new instance that was sent without one. */
  readonly defaultValue: DefaultValue | undefined;
  /**
   * Its values are the text forms of those of `columnType`; the PostgreSQL type in which they are compared and sorted,
   * `text` for the text forms themselves. Strings only.
   */
  readonly comparedAs?: string;
  /** Type below the domain `columnType`, whose values are padded with blanks. */
  readonly baseType?: string;
  /** Its times have six digits of the fraction of a second, not three. */
  readonly microseconds?: true;
  /** Dates and times may be infinite, or of other years than 1 to 9999: the table may have had rows before. */
  readonly unbounded?: true;
  /** API documents give its values no format: some are unbounded. */
  readonly formatless?: true;
  /** What its column contains; booleans only. */
  readonly storedValues?: StoredBooleans;
  /** Search by its texts; strings only. */
  readonly search?: AttributeSearch;
  /** The schema of its values; JSON attributes only. */
  readonly jsonSchema?: JsonSchema;
  /** Computes a not persistent attribute from those it depends on. */
  readonly compute: ((values: Readonly<Record<string, unknown>>) => unknown) | undefined;
}

/** An attribute whose value is a constant of an enum. */
export interface EnumAttribute extends AttributeBase {
  readonly kind: 'enum';
  /** Name of the enum, e.g. `sales.OrderStatus`. */
  readonly enumName: string;
  /** Unique among rows that are not soft-deleted. */
  readonly unique: boolean;
  /** Constant name. */
  readonly defaultValue: string | undefined;
}

/** An embeddable's attributes kept in the owner's own row. */
export interface EmbeddedAttribute extends AttributeBase {
  readonly kind: 'embedded';
  /** Name of the embeddable entity. */
  readonly target: string;
  /** The prefix of its columns, if it is not its name. */
  readonly columnPrefix?: string;
}

/** How many instances each end of a reference has; this end is the first one. */
export type Cardinality = 'MANY_TO_ONE' | 'ONE_TO_ONE' | 'ONE_TO_MANY' | 'MANY_TO_MANY';

/** The action on the other end when an instance is deleted (contract/writing.md#soft-deletion). */
export type DeletePolicy = 'DENY' | 'CASCADE' | 'UNLINK';

/**
 * Which row-level policies hide the children of a composition: those that hide their owner, in addition to their own, or
 * their own alone.
 */
export type ChildVisibility = 'owner' | 'own';

/** An association or composition with another entity. */
export interface ReferenceAttribute extends AttributeBase {
  readonly kind: 'reference';
  /** Name of the entity referred to. */
  readonly target: string;
  /** `ONE_TO_ONE` of an owning end is unique among rows that are not soft-deleted. */
  readonly cardinality: Cardinality;
  /** The target belongs to this instance: created, updated and deleted with it. */
  readonly composition: boolean;
  /** Of a composition; absent if nobody has decided it, which has the effect of `own`. */
  readonly visibility?: ChildVisibility;
  /** Name of the attribute at the other end, if there is one. */
  readonly inverse: string | undefined;
  /** This end has the foreign key or the link table. */
  readonly owning: boolean;
  /** Applied to the target when this instance is deleted. */
  readonly onDelete: DeletePolicy | undefined;
  /** Applied to this instance when the target is deleted. */
  readonly onDeleteInverse: DeletePolicy | undefined;
  /** Its link table, if it belongs to another owner. */
  readonly link?: LinkStorage;
  /** It leads to the parent in a tree. */
  readonly tree?: true;
  /** Instances are found by the searchable attributes of the targets; the members have no meaning. */
  readonly search?: AttributeSearch;
}

/**
 * An ordered collection of scalar values, stored in a separate table; with a `columnType`, in an array column of the
 * row.
 */
export interface ElementsAttribute extends AttributeBase {
  readonly kind: 'elements';
  /** Of each value. */
  readonly datatype: Datatype;
  /** Of each value, as in a `DatatypeAttribute`. */
  readonly length: number | undefined;
  readonly precision?: number;
  readonly scale?: number;
  readonly comparedAs?: string;
  readonly microseconds?: true;
  /** Dates and times may be infinite, or of other years than 1 to 9999: the table may have had rows before. */
  readonly unbounded?: true;
  /** API documents give its values no format: some are unbounded. */
  readonly formatless?: true;
}

/** A collection that is stored in an array column. */
export type ArrayAttribute = ElementsAttribute & { readonly columnType: string };

/** An attribute of an entity; `kind` is its discriminator. */
export type Attribute = DatatypeAttribute | EnumAttribute | EmbeddedAttribute | ReferenceAttribute | ElementsAttribute;

/** Whether the attribute is a collection that is stored in an array column. */
export const isArray = (attribute: Attribute): attribute is ArrayAttribute =>
  attribute.kind === 'elements' && attribute.columnType !== undefined;

/** Whether the attribute has a table of its own: the table of its links or of its values. */
export const hasTable = (attribute: Attribute): boolean =>
  attribute.kind === 'elements'
    ? !isArray(attribute)
    : attribute.kind === 'reference' && attribute.owning && attribute.cardinality === 'MANY_TO_MANY';

/** Whether the attribute is a reference to at most one instance. */
export const isToOne = (attribute: Attribute): attribute is ReferenceAttribute =>
  attribute.kind === 'reference' && (attribute.cardinality === 'MANY_TO_ONE' || attribute.cardinality === 'ONE_TO_ONE');

/** The reference to the parent, if the instances of the entity are a tree. */
export const treeParentOf = ({
  attributes,
}: {
  readonly attributes: ReadonlyMap<string, Attribute>;
}): ReferenceAttribute | undefined =>
  [...attributes.values()].find(
    (attribute): attribute is ReferenceAttribute => attribute.kind === 'reference' && attribute.tree === true,
  );

/** Whether the attribute is a reference to any number of instances. */
export const isToMany = (attribute: Attribute): attribute is ReferenceAttribute =>
  attribute.kind === 'reference' && !isToOne(attribute);

/**
 * Whether the attribute is local: a persistent single value that is no reference (contract/fetch-plans.md#parameter
 * `_local`).
 */
export const isLocal = (attribute: Attribute): attribute is DatatypeAttribute | EnumAttribute =>
  attribute.kind === 'datatype' || attribute.kind === 'enum';

/** Whether conditions of events can be about its new value: a boolean, or a constant of an enum. */
export const isWatched = (attribute: Attribute): attribute is DatatypeAttribute | EnumAttribute =>
  !attribute.secret &&
  (attribute.kind === 'enum' || (attribute.kind === 'datatype' && attribute.datatype === 'boolean'));
