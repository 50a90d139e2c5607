import type { Datatype, EntityDefinition, EnumDefinition, InstanceOf, ValidationRule } from '@lintel/metadata';

/** The type of a parameter or result of a service method, as data. */
export type ValueForm =
  | { readonly kind: 'datatype'; readonly datatype: Datatype }
  /** The name of a constant. */
  | { readonly kind: 'enum'; readonly enumName: string }
  /** An instance in its JSON form. */
  | { readonly kind: 'entity'; readonly entity: string }
  | { readonly kind: 'list'; readonly item: ValueForm }
  /** Members that are named are read by their type; others are dropped. */
  | { readonly kind: 'record'; readonly members: Readonly<Record<string, RecordMember>> }
  /** Any JSON object; its numbers are `ExactNumber`. */
  | { readonly kind: 'object' }
  /** Any value: texts of a URL as texts, JSON of a body as JSON. */
  | { readonly kind: 'any' }
  /** No result. */
  | { readonly kind: 'void' };

/** The type of a member of a record. */
export interface RecordMember {
  /** The type of its values. */
  readonly form: ValueForm;
  /** Whether each record must have it; otherwise it may be absent or null. */
  readonly required: boolean;
}

interface ValueDefinition {
  readonly form: ValueForm;
  readonly optional: boolean;
  readonly rules: readonly ValidationRule[];
}

const own = (message: string | undefined): { message?: string } => (message === undefined ? {} : { message });

/**
 * The type of a parameter or result. Every method returns a new one, so that a type can be shared.
 *
 * `T` is the value in application code: decimals and 64-bit integers are exact texts, dates ISO texts, enum
 * constants their names, entities their JSON form.
 */
export class ValueType<T> {
  readonly definition: ValueDefinition;
  /** Never set; only for the inference of `T`. */
  declare readonly value: T;

  constructor(definition: ValueDefinition) {
    this.definition = Object.freeze(definition);
  }

  /** The parameter may be absent or null; code gets `undefined`. */
  optional(): ValueType<T | undefined> {
    return new ValueType<T | undefined>({ ...this.definition, optional: true });
  }

  /** A rule that calls and results are checked with; a violation returns a 400 with the array of items. */
  rule(rule: ValidationRule): ValueType<T> {
    return new ValueType<T>({ ...this.definition, rules: [...this.definition.rules, rule] });
  }

  /** Number of characters, or of items of a list. */
  size(min: number, max: number, message?: string): ValueType<T> {
    return this.rule({ kind: 'size', min, max, ...own(message) });
  }

  /** At least one character that is no blank. */
  notBlank(message?: string): ValueType<T> {
    return this.rule({ kind: 'not-blank', ...own(message) });
  }

  /** The whole text matches the regular expression. */
  pattern(pattern: RegExp, message?: string): ValueType<T> {
    return this.rule({ kind: 'pattern', pattern: pattern.source, ...own(message) });
  }

  /** A well-formed e-mail address. */
  email(message?: string): ValueType<T> {
    return this.rule({ kind: 'email', ...own(message) });
  }

  /** Not less than `value` (greater than it, when not inclusive). */
  min(value: number | string, inclusive = true, message?: string): ValueType<T> {
    return this.rule({ kind: 'min', value: String(value), inclusive, ...own(message) });
  }

  /** Not greater than `value` (less than it, when not inclusive). */
  max(value: number | string, inclusive = true, message?: string): ValueType<T> {
    return this.rule({ kind: 'max', value: String(value), inclusive, ...own(message) });
  }

  /** Greater than zero. */
  positive(message?: string): ValueType<T> {
    return this.min('0', false, message);
  }

  /** Before now (or today, for dates). */
  past(message?: string): ValueType<T> {
    return this.rule({ kind: 'past', orPresent: false, ...own(message) });
  }

  /** After now. */
  future(message?: string): ValueType<T> {
    return this.rule({ kind: 'future', orPresent: false, ...own(message) });
  }

  /** A rule of the application's own. `test` is pure. */
  check(test: (value: NonNullable<T>) => boolean, message: string): ValueType<T> {
    return this.rule({ kind: 'custom', message, test: test as (value: unknown) => boolean });
  }
}

/** The value that a type describes, in application code. */
export type ValueOf<V> = V extends ValueType<infer T> ? T : never;

type Types = Readonly<Record<string, ValueType<unknown>>>;
type OptionalNames<P extends Types> = { [K in keyof P]: undefined extends ValueOf<P[K]> ? K : never }[keyof P];

/** The values of named types, as one object: those that are optional may be absent. */
export type ValuesOf<P extends Types> = {
  readonly [K in Exclude<keyof P, OptionalNames<P>>]: ValueOf<P[K]>;
} & { readonly [K in OptionalNames<P>]?: ValueOf<P[K]> };

const of = <T>(form: ValueForm): ValueType<T> => new ValueType<T>({ form, optional: false, rules: [] });
const datatype = <T>(name: Datatype): ValueType<T> => of<T>({ kind: 'datatype', datatype: name });

/** An instance in its JSON form. */
export type EntityValue = Readonly<Record<string, unknown>>;

function entity(name: string): ValueType<EntityValue>;
function entity<D extends EntityDefinition>(definition: D): ValueType<InstanceOf<D>>;
function entity(given: string | EntityDefinition): ValueType<unknown> {
  return of({ kind: 'entity', entity: typeof given === 'string' ? given : given.name });
}

/** The types of parameters and results. */
export const t = Object.freeze({
  string: datatype<string>('string'),
  char: datatype<string>('char'),
  boolean: datatype<boolean>('boolean'),
  /** 16-bit integer. */
  short: datatype<number>('short'),
  /** 32-bit integer. */
  int: datatype<number>('int'),
  /** 64-bit integer, as its exact text. */
  long: datatype<string>('long'),
  /** Integer of any size, as its exact text. */
  bigInteger: datatype<string>('bigInteger'),
  float: datatype<number>('float'),
  double: datatype<number>('double'),
  /** Exact decimal, as its text. */
  decimal: datatype<string>('decimal'),
  uuid: datatype<string>('uuid'),
  /** `YYYY-MM-DD`. */
  localDate: datatype<string>('localDate'),
  /** `YYYY-MM-DDTHH:mm:ss.SSS`. */
  localDateTime: datatype<string>('localDateTime'),
  /** `HH:mm:ss`. */
  localTime: datatype<string>('localTime'),
  /** `YYYY-MM-DDTHH:mm:ss.SSSZ`. */
  offsetDateTime: datatype<string>('offsetDateTime'),
  /** `HH:mm:ss+00:00`. */
  offsetTime: datatype<string>('offsetTime'),
  /** A point in time in the server's zone, `YYYY-MM-DDTHH:mm:ss.SSS`; a date alone means its midnight. */
  dateTime: datatype<string>('dateTime'),
  date: datatype<string>('date'),
  time: datatype<string>('time'),
  /** File reference, `fs://<path>?name=<name>`. */
  fileRef: datatype<string>('fileRef'),
  uri: datatype<string>('uri'),
  /** Base64 text. */
  byteArray: datatype<string>('byteArray'),
  /** The name of a constant. */
  enum: <N extends string>({ name }: EnumDefinition<N>): ValueType<N> => of<N>({ kind: 'enum', enumName: name }),
  /** An instance, stored or not, by the entity's name or its definition. */
  entity,
  list: <T>(item: ValueType<T>): ValueType<readonly NonNullable<T>[]> =>
    of({ kind: 'list', item: item.definition.form }),
  /** An object with these members. */
  record: <const P extends Types>(members: P): ValueType<ValuesOf<P>> =>
    of({
      kind: 'record',
      members: Object.fromEntries(
        Object.entries(members).map(([name, { definition }]) => [
          name,
          { form: definition.form, required: !definition.optional },
        ]),
      ),
    }),
  /** Any object. Its numbers are `ExactNumber` in parameters; results may contain any value of JavaScript. */
  object: of<Readonly<Record<string, unknown>>>({ kind: 'object' }),
  any: of<unknown>({ kind: 'any' }),
  /** No result. */
  void: of<void>({ kind: 'void' }),
});
