import type { Datatype } from '../datatypes/datatypes.ts';
import type {
  Cardinality,
  ChildVisibility,
  DefaultValue,
  DeletePolicy,
  JsonSchema,
  LinkStorage,
  StoredBooleans,
} from '../entities/attribute.ts';
import type { AttributeSearch } from '../entities/searchable.ts';
import type { AttributeUi } from '../entities/ui-hints.ts';
import type { ValidationRule } from '../entities/validation-rule.ts';

/** The definition of an attribute, before the model binds it. */
export interface AttributeDefinition {
  /** Which of the following members have a meaning. */
  readonly kind: 'datatype' | 'enum' | 'embedded' | 'reference' | 'elements';
  /** Of `datatype` and `elements`. */
  readonly datatype?: Datatype;
  /** Maximum number of characters; of `elements`, of each value. */
  readonly length?: number;
  /** Maximum number of digits of a decimal. */
  readonly precision?: number;
  /** Digits of a decimal after the point. */
  readonly scale?: number;
  /** Of a text form: the PostgreSQL type in which values are compared and sorted. */
  readonly comparedAs?: string;
  /** Of a boolean: what the column contains. */
  readonly storedValues?: StoredBooleans;
  /** Date-times have six digits of the fraction of a second instead of three. */
  readonly microseconds?: true;
  /** Dates and times have no format in API documents. */
  readonly unbounded?: true;
  /** JSON Schema (draft-07) of the values of a JSON attribute. */
  readonly jsonSchema?: JsonSchema;
  /** Name of the enum. */
  readonly enumName?: string;
  /** Name of the entity that a reference points to, or of the embeddable. */
  readonly target?: string;
  /** References only. */
  readonly cardinality?: Cardinality;
  /** The target belongs to the instance: it is created, updated and deleted with it. */
  readonly composition?: boolean;
  /** Which row-level policies hide the children of a composition. */
  readonly visibility?: ChildVisibility;
  /** Name of the attribute at the other end of a reference. */
  readonly inverse?: string;
  /** This end of a reference has the foreign key or the link table. */
  readonly owning?: boolean;
  /** What happens to the target when the instance is deleted. */
  readonly onDelete?: DeletePolicy;
  /** What happens to the instance when the target is deleted. */
  readonly onDeleteInverse?: DeletePolicy;
  /** A value must be present when an instance is saved. */
  readonly mandatory?: boolean;
  /** Clients cannot write it; application code can. */
  readonly readOnly?: boolean;
  /** The database alone gives the value; nothing writes it. */
  readonly generated?: true;
  /** The database gives a value to a new row without one. */
  readonly databaseDefault?: true;
  /** Not stored. */
  readonly transient?: boolean;
  /** Accepted on input, and in no response. */
  readonly secret?: boolean;
  /** Its values are about a person; a reference leads to the person. */
  readonly personal?: true;
  /** Unique among the rows that are not soft-deleted. */
  readonly unique?: boolean;
  /** Text of the violation of `unique`. */
  readonly uniqueMessage?: string;
  /** Instances are searched by its texts. */
  readonly search?: AttributeSearch;
  /** The reference leads to the parent in a tree. */
  readonly tree?: true;
  /** Value of a new instance that was sent without one, in its JSON form. */
  readonly defaultValue?: DefaultValue;
  /** Checked before a save, in this order. */
  readonly rules?: readonly ValidationRule[];
  /** Attributes that `compute` reads. */
  readonly dependsOn?: readonly string[];
  /** Computes a value that is not stored. Pure. */
  readonly compute?: (values: Readonly<Record<string, unknown>>) => unknown;
  /** Names of the columns, if they are not derived from the name of the attribute. */
  readonly columns?: readonly string[];
  /** Former name of the attribute, or of its column. */
  readonly renamedFrom?: string;
  /** Of an embedded attribute: what the names of its columns begin with. */
  readonly columnPrefix?: string;
  /** PostgreSQL type of the column, if it is not the default of the datatype; of `elements`, of the array. */
  readonly columnType?: string;
  /** Type below the domain that `columnType` names. */
  readonly baseType?: string;
  /** The link table of a M:N association, if its names are not derived from the model. */
  readonly link?: LinkStorage;
  /** Hints for user interfaces. */
  readonly ui?: AttributeUi;
}

/**
 * Describes one attribute. Every method returns a new builder, so that a builder can be shared.
 *
 * `T` is the type of the value in application code.
 */
export class AttributeBuilder<T> {
  /** What the builder has collected, frozen. */
  readonly definition: AttributeDefinition;
  /** Never set; only for the inference of `T`. */
  declare readonly value: T;

  constructor(definition: AttributeDefinition) {
    this.definition = Object.freeze(definition);
  }

  private with(change: Partial<AttributeDefinition>): AttributeBuilder<T> {
    return new AttributeBuilder<T>({ ...this.definition, ...change });
  }

  private rule(rule: ValidationRule): AttributeBuilder<T> {
    return this.with({ rules: [...(this.definition.rules ?? []), rule] });
  }

  /** A value must be present. */
  mandatory(): AttributeBuilder<T> {
    return this.with({ mandatory: true });
  }

  /**
   * Unique among the rows that are not soft-deleted. Makes a reference to one a 1:1 association: no two instances
   * refer to the same one. `message` replaces the text of the 409.
   */
  unique(message?: string): AttributeBuilder<T> {
    return this.with({ unique: true, ...(message === undefined ? {} : { uniqueMessage: message }) });
  }

  /**
   * The reference leads to the parent, in a tree of the instances of the entity: filters and row rules know what is
   * below and above an instance, and no instance can be below itself.
   */
  tree(): AttributeBuilder<T> {
    return this.with({ tree: true });
  }

  /**
   * Instances are found by words of the text; of a reference or collection, by words of its targets, without options
   * (contract/search.md#searchable).
   *
   * @param search `weight` from `A` (the highest rank of matches) to `D` (the default); `language` of stems and stop
   *   words, by default `simple`, which has neither; `prefix`: the last word also finds words that begin with it;
   *   `typos`: similar texts are found, too
   */
  searchable({ weight = 'D', language = 'simple', prefix = false, typos = false }: Partial<AttributeSearch> = {}) {
    return this.with({ search: Object.freeze({ weight, language, prefix, typos }) });
  }

  /** Never in any response; still accepted on input. */
  secret(): AttributeBuilder<T> {
    return this.with({ secret: true });
  }

  /**
   * Its values are about a person: histories and exports show them to holders of `personal.read` alone, and
   * `lintel person …` exports and erases them. A personal reference to one leads to the person whose data the instance
   * has.
   */
  personal(): AttributeBuilder<T> {
    return this.with({ personal: true });
  }

  /** Not writable through the API. */
  readOnly(): AttributeBuilder<T> {
    return this.with({ readOnly: true });
  }

  /**
   * The database alone gives the value, in tables of another owner: a computed column, an identity, a column that a
   * trigger fills. Nothing writes it, neither clients nor application code. Single values only.
   */
  generated(): AttributeBuilder<T> {
    return this.with({ generated: true, readOnly: true });
  }

  /** Not stored. */
  transient(): AttributeBuilder<T> {
    return this.with({ transient: true });
  }

  /** Not stored and computed from other attributes. `compute` is pure. */
  computed(
    dependsOn: readonly string[],
    compute: (values: Readonly<Record<string, unknown>>) => T | null,
  ): AttributeBuilder<T> {
    return this.with({ transient: true, readOnly: true, dependsOn, compute });
  }

  /** Value for a new instance that was sent without one. */
  default(value: T & DefaultValue): AttributeBuilder<T> {
    return this.with({ defaultValue: value });
  }

  /**
   * A new instance that is sent without a value gets the default of its column, such as `now()`, also if the attribute
   * is mandatory. Single values only; migrations do not create the default.
   */
  databaseDefault(): AttributeBuilder<T> {
    return this.with({ databaseDefault: true });
  }

  /** Number of characters. */
  size(min: number, max: number, message?: string): AttributeBuilder<T> {
    return this.rule({ kind: 'size', min, max, ...(message === undefined ? {} : { message }) });
  }

  /** At least one character that is no blank. */
  notBlank(message?: string): AttributeBuilder<T> {
    return this.rule({ kind: 'not-blank', ...(message === undefined ? {} : { message }) });
  }

  /** The whole text matches the regular expression. */
  pattern(pattern: RegExp, message?: string): AttributeBuilder<T> {
    return this.rule({
      kind: 'pattern',
      pattern: pattern.source,
      ...(message === undefined ? {} : { message }),
    });
  }

  /** A well-formed e-mail address. */
  email(message?: string): AttributeBuilder<T> {
    return this.rule({ kind: 'email', ...(message === undefined ? {} : { message }) });
  }

  /** Not less than `value` (greater than it, when not inclusive). */
  min(value: number | string, inclusive = true, message?: string): AttributeBuilder<T> {
    return this.rule({
      kind: 'min',
      value: String(value),
      inclusive,
      ...(message === undefined ? {} : { message }),
    });
  }

  /** Not greater than `value` (less than it, when not inclusive). */
  max(value: number | string, inclusive = true, message?: string): AttributeBuilder<T> {
    return this.rule({
      kind: 'max',
      value: String(value),
      inclusive,
      ...(message === undefined ? {} : { message }),
    });
  }

  /** Greater than zero. */
  positive(message?: string): AttributeBuilder<T> {
    return this.min('0', false, message);
  }

  /** Before now (or today, for dates). */
  past(message?: string): AttributeBuilder<T> {
    return this.rule({ kind: 'past', orPresent: false, ...(message === undefined ? {} : { message }) });
  }

  /** After now. */
  future(message?: string): AttributeBuilder<T> {
    return this.rule({ kind: 'future', orPresent: false, ...(message === undefined ? {} : { message }) });
  }

  /** A rule of the application's own. `test` is pure. */
  check(test: (value: T) => boolean, message: string): AttributeBuilder<T> {
    return this.rule({ kind: 'custom', message, test: test as (value: unknown) => boolean });
  }

  /**
   * Compositions only. `owner`: the children are visible where this instance is, and writing them is bound by the
   * row-level policies that bind an update of this instance. `own`: only policies about the children hide them.
   */
  visibility(of: ChildVisibility): AttributeBuilder<T> {
    return this.with({ visibility: of });
  }

  /** What happens to the target when this instance is deleted. References only. */
  onDelete(policy: DeletePolicy): AttributeBuilder<T> {
    return this.with({ onDelete: policy });
  }

  /**
   * Columns whose names are not derived from the attribute's: one, or for a reference one for each column of the
   * target's key. Those of a reference may be columns of the key or of another attribute; the values then agree.
   */
  column(...names: readonly string[]): AttributeBuilder<T> {
    return this.with({ columns: names });
  }

  /**
   * The former name of the attribute, of its column, or of its table (`shop.item_words`): the next generated migration
   * renames the column or the table, with its values. To be removed when that migration is written.
   */
  renamedFrom(name: string): AttributeBuilder<T> {
    return this.with({ renamedFrom: name });
  }

  /** What the columns of an embedded attribute begin with, instead of its name; may be empty. */
  columnPrefix(prefix: string): AttributeBuilder<T> {
    return this.with({ columnPrefix: prefix });
  }

  /**
   * PostgreSQL type of the column as the catalogue names it, if it is not the default of the datatype, in
   * tables of another owner: `timestamp with time zone`, for an enum `public.mood`. Of a domain of blank-padded texts
   * also the type below it: `storedAs('public.code', 'character(8)')`.
   */
  storedAs(type: string, baseType?: `character(${number})`): AttributeBuilder<T> {
    return this.with({ columnType: type, ...(baseType === undefined ? {} : { baseType }) });
  }

  /**
   * Date-times with microseconds, as PostgreSQL stores them: six digits of the fraction of a second instead of three.
   * For keys of existing tables, whose values must be exact.
   */
  microseconds(): AttributeBuilder<T> {
    return this.with({ microseconds: true });
  }

  /**
   * Dates and times of tables that were there before, of which some are infinite, or of other years than 1 to 9999: API
   * documents give them no format, so that generated clients read texts. They are accepted without it, too.
   */
  unbounded(): AttributeBuilder<T> {
    return this.with({ unbounded: true });
  }

  /** The link table of a M:N association, if it belongs to another owner or has other names. */
  linkedBy(link: LinkStorage): AttributeBuilder<T> {
    return this.with({ link });
  }

  /** Hints for user interfaces, which change nothing else. */
  ui(hints: AttributeUi): AttributeBuilder<T> {
    return this.with({ ui: hints });
  }

  /** What happens to this instance when the target is deleted. References only. */
  onTargetDelete(policy: DeletePolicy): AttributeBuilder<T> {
    return this.with({ onDeleteInverse: policy });
  }
}
