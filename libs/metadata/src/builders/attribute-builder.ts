import type { Datatype } from '../datatypes/datatypes.ts';
import type { Cardinality, DefaultValue, DeletePolicy, JsonSchema, LinkStorage } from '../entities/attribute.ts';
import type { AttributeUi } from '../entities/ui-hints.ts';
import type { ValidationRule } from '../entities/validation-rule.ts';

/** The definition of an attribute, before the model binds it. */
export interface AttributeDefinition {
  readonly kind: 'datatype' | 'enum' | 'embedded' | 'reference' | 'elements';
  readonly datatype?: Datatype;
  readonly length?: number;
  readonly precision?: number;
  readonly scale?: number;
  readonly comparedAs?: string;
  readonly microseconds?: true;
  readonly jsonSchema?: JsonSchema;
  readonly enumName?: string;
  readonly target?: string;
  readonly cardinality?: Cardinality;
  readonly composition?: boolean;
  readonly inverse?: string;
  readonly owning?: boolean;
  readonly onDelete?: DeletePolicy;
  readonly onDeleteInverse?: DeletePolicy;
  readonly mandatory?: boolean;
  readonly readOnly?: boolean;
  readonly generated?: true;
  readonly transient?: boolean;
  readonly secret?: boolean;
  readonly unique?: boolean;
  readonly defaultValue?: DefaultValue;
  readonly rules?: readonly ValidationRule[];
  readonly dependsOn?: readonly string[];
  readonly compute?: (values: Readonly<Record<string, unknown>>) => unknown;
  readonly columns?: readonly string[];
  readonly columnPrefix?: string;
  readonly columnType?: string;
  readonly link?: LinkStorage;
  readonly ui?: AttributeUi;
}

/**
 * Describes one attribute. Every method returns a new builder, so that a builder can be shared.
 *
 * `T` is the type of the value in application code.
 */
export class AttributeBuilder<T> {
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
   * refer to the same one.
   */
  unique(): AttributeBuilder<T> {
    return this.with({ unique: true });
  }

  /** Never in any response; still accepted on input. */
  secret(): AttributeBuilder<T> {
    return this.with({ secret: true });
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

  /** What the columns of an embedded attribute begin with, instead of its name; may be empty. */
  columnPrefix(prefix: string): AttributeBuilder<T> {
    return this.with({ columnPrefix: prefix });
  }

  /**
   * PostgreSQL type of the column as the catalogue names it, if it is not the default of the datatype, in
   * tables of another owner: `timestamp with time zone`, for an enum `public.mood`.
   */
  storedAs(type: string): AttributeBuilder<T> {
    return this.with({ columnType: type });
  }

  /**
   * Date-times with microseconds, as PostgreSQL stores them: six digits of the fraction of a second instead of three.
   * For keys of existing tables, whose values must be exact.
   */
  microseconds(): AttributeBuilder<T> {
    return this.with({ microseconds: true });
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
