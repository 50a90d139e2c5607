import { type Entity, searchWords } from '@lintel/metadata';
import type { InputList, TextOperator, Value } from '../ast/condition.ts';
import { type ExactJson, ExactNumber } from '../json/exact-json.ts';
import { type LiteralType, parameterTypeOf } from '../literals/literal-type.ts';
import { parseFilterValue } from '../literals/parse-literal.ts';
import type { SqlValue } from '../literals/parse-text.ts';

/** Value `index` of the request, a list, or what its items have at a path. */
type ListSource = Pick<InputList, 'index' | 'operator' | 'at' | 'declared'>;
/** Value `index` of the request, or one that the application declares. */
type InputSource = Pick<Extract<Value, { kind: 'input' }>, 'index' | 'at' | 'declared'>;

/** Where the value of a statement parameter comes from when the statement is run. */
export type ParameterSource =
  | { readonly kind: 'constant'; readonly value: SqlValue }
  /** A value the server fills in for the caller. */
  | { readonly kind: 'session'; readonly name: string; readonly type: LiteralType; readonly form?: TextForm }
  | (InputSource & { readonly kind: 'input'; readonly type: LiteralType; readonly form?: TextForm })
  | (ListSource & { readonly kind: 'input-list'; readonly type: LiteralType })
  /** Part of the key in a value that refers to an instance. */
  | (InputSource & { readonly kind: 'input-key'; readonly entity: Entity; readonly part: number })
  | (ListSource & { readonly kind: 'input-key-list'; readonly entity: Entity; readonly part: number })
  /** Value `index` of the parameters that a query declares; a list where the parameter is a collection. */
  | {
      readonly kind: 'argument';
      readonly index: number;
      /** Of an open parameter: what its text is read as. */
      readonly readAs?: LiteralType;
    }
  /**
   * Value `index` of the request, which is searched: as a text, or as a text query for all or any of its words, the last
   * one or the others.
   * `prefix`: weights of the attributes in which the last word may be the beginning of one; `*` for all.
   */
  | {
      readonly kind: 'search';
      readonly index: number;
      readonly as: 'text' | 'all' | 'any' | 'last' | 'others';
      readonly prefix: string;
    }
  /** The time zone of the caller. */
  | { readonly kind: 'time-zone' }
  /** Part of the id in the path. */
  | { readonly kind: 'id'; readonly part: number }
  /** Value of column `column` of the order in the row after which the page begins. */
  | { readonly kind: 'position'; readonly column: number }
  | { readonly kind: 'limit' }
  | { readonly kind: 'offset' };

/** A parameter of a statement; the text gives it its PostgreSQL type. */
export interface Parameter {
  readonly source: ParameterSource;
  readonly sqlType: string;
}

/**
 * How a searched text is bound: as a pattern of `LIKE`; for `startsWith` as it is, which is the first text that
 * begins with it, and with `end` as a text after all that begin with it.
 */
export type TextForm = TextOperator | 'end';

/** The greatest character, so often that no text has it in a row. */
const AFTER_ALL = '\u{10FFFF}'.repeat(8);

/**
 * The text in the form in which the statement uses it; its characters are matched literally (contract/decisions.md#11).
 */
export function searchText(form: TextForm, text: string): string {
  switch (form) {
    case 'startsWith':
      return text;
    case 'end':
      return `${text}${AFTER_ALL}`;
    case 'endsWith':
      return `%${literal(text)}`;
    case 'contains':
    case 'doesNotContain':
      return `%${literal(text)}%`;
    default:
      return form satisfies never;
  }
}

/** The searched words, in the form of `plainText`: as a text, or as a query of `to_tsquery`, which has no other signs. */
export function boundSearch(searched: string, { as, prefix }: Extract<ParameterSource, { kind: 'search' }>): string {
  const words = searchWords(searched);
  if (as === 'text') return words.join(' ');
  const last = words.length - 1;
  const [begins, whole] = [prefix === '*' ? ':*' : `:*${prefix}`, prefix === '*' ? '' : ` | ${words[last]}`];
  return words
    .map((word, at) => (at === last && prefix !== '' ? `(${word}${begins}${whole})` : word))
    .slice(as === 'last' ? last : 0, as === 'others' ? last : words.length)
    .join(as === 'any' ? ' | ' : ' & ');
}

const literal = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

const TEXT: LiteralType = { kind: 'datatype', datatype: 'string' };

/** A constant of a policy or query as an `ExactJson` scalar. */
function constantOf(value: unknown, type: LiteralType): SqlValue {
  const scalar: ExactJson =
    typeof value === 'number' ? new ExactNumber(String(value)) : (value as Exclude<ExactJson, number>);
  const parsed = parseFilterValue(type, scalar);
  if (parsed === undefined) throw new Error(`${JSON.stringify(value)} is no value of type ${parameterTypeOf(type)}`);
  return parsed.value;
}

/** The parameter of a value that is compared with something of that type. */
export function valueParameter(value: Value, type: LiteralType): Parameter {
  const sqlType = parameterTypeOf(type);
  switch (value.kind) {
    case 'literal':
      return { source: { kind: 'constant', value: constantOf(value.value, type) }, sqlType };
    case 'parameter':
      return { source: { kind: 'session', name: value.name, type }, sqlType };
    case 'input':
      return { source: { kind: 'input', ...sourceOf(value), type }, sqlType };
    default:
      return value satisfies never;
  }
}

/** The parameter of a text that is searched for. */
export function textParameter(value: Value, form: TextForm): Parameter {
  switch (value.kind) {
    case 'literal':
      return {
        source: { kind: 'constant', value: searchText(form, String(constantOf(value.value, TEXT))) },
        sqlType: 'text',
      };
    case 'parameter':
      return { source: { kind: 'session', name: value.name, type: TEXT, form }, sqlType: 'text' };
    case 'input':
      return { source: { kind: 'input', ...sourceOf(value), type: TEXT, form }, sqlType: 'text' };
    default:
      return value satisfies never;
  }
}

/** The source of a declared parameter's value and, if the parameter was open, the type as which it is read. */
export const argumentSource = (index: number, isOpen: boolean, type: LiteralType): ParameterSource =>
  isOpen ? { kind: 'argument', index, readAs: type } : { kind: 'argument', index };

/** The parameter of a list in the request. */
export const listParameter = (list: InputList, type: LiteralType): Parameter => ({
  source: { kind: 'input-list', ...listSourceOf(list), type },
  sqlType: `${parameterTypeOf(type)}[]`,
});

/** The location of a value in the request. */
export const sourceOf = ({ index, at, declared }: Extract<Value, { kind: 'input' }>): InputSource => ({
  index,
  ...(at === undefined ? {} : { at }),
  ...(declared === undefined ? {} : { declared }),
});

/** The location of a list in the request. */
export const listSourceOf = ({ index, operator, at, declared }: InputList): ListSource => ({
  index,
  operator,
  ...(at === undefined ? {} : { at }),
  ...(declared === undefined ? {} : { declared }),
});
