import { PlatformError, shortened } from '@lintel/errors';
import type { Entity, Model } from '@lintel/metadata';
import { shapeKeyOf, shapeOf } from '../ast/value-shape.ts';
import { keyInSql, parseKeyValue } from '../ids/entity-id.ts';
import { type ExactJson, ExactNumber, isExactObject } from '../json/exact-json.ts';
import { type LiteralType, typeNameOf } from '../literals/literal-type.ts';
import { parseFilterValue } from '../literals/parse-literal.ts';
import { parseText, type SqlValue } from '../literals/parse-text.ts';
import { isRelativeTime, relativeTime } from '../literals/relative-time.ts';
import type { TimeReading } from '../literals/stored-time.ts';
import { zoneNamed } from '../literals/time-zone.ts';
import type { QueryArgument } from '../parse/parsed-query.ts';
import { boundSearch, type ParameterSource, searchText } from '../plan/parameter.ts';
import type { CompiledStatement, StatementTemplate } from './compiled-statement.ts';

/** The values of one request. */
export interface StatementValues {
  readonly model: Model;
  /** Values of the filter, by index. */
  readonly inputs: readonly ExactJson[];
  /** Values of the parameters that a query declares, in their order. */
  readonly arguments?: readonly QueryArgument[];
  /** Parts of the id in the path; of several ids (`compileEach`) each part is a list. */
  readonly id: readonly (SqlValue | readonly SqlValue[])[];
  readonly limit: number | undefined;
  readonly offset: number | undefined;
  /** How times in the filter of a client are read. */
  readonly times?: TimeReading | undefined;
  /** The time of the request; without it no value depends on it. */
  readonly now?: Date | undefined;
  /** The row after which the page begins. */
  readonly position?: readonly (string | null)[];
  /** Value of a row condition's parameter; undefined if the caller has none: it then matches nothing. */
  readonly sessionValue: (name: string) => unknown;
}

const refuse = (details: string): PlatformError => new PlatformError('REQ_INVALID_FILTER', details);

/** The value in an error. */
const textOf = (value: ExactJson | undefined): string =>
  value === undefined ? 'undefined' : shortened(typeof value === 'string' ? value : JSON.stringify(value));

/**
 * Binds the values of a statement: checks 7 to 9 of contract/filters.md#checks. Nothing is rounded; times
 * are read as `times` says.
 *
 * @throws PlatformError REQ_INVALID_FILTER for a value that is not one of the attribute's type
 */
export function bindStatement(template: StatementTemplate, values: StatementValues): CompiledStatement {
  const { name, text, shape, sources } = template;
  const binding = { ...values, divided: new Map() };
  return {
    name,
    text,
    shape,
    sources,
    values: sources.map((source) => bind(source, binding)),
  };
}

/** The values, with results that are computed once for all parameters. */
interface Binding extends StatementValues {
  /** Lists divided by the shapes of their items. */
  readonly divided: Map<readonly ExactJson[], Map<string, ExactJson[]>>;
}

function bind(source: ParameterSource, values: Binding): unknown {
  switch (source.kind) {
    case 'constant':
      return source.value;
    case 'session':
      return sessionValue(values.sessionValue(source.name), source);
    case 'input': {
      const value = scalar(source.type, timed(source.type, single(values, source), values), values.times);
      return source.form === undefined ? value : searchText(source.form, String(value));
    }
    case 'input-list':
      return list(values, source).map((item) => scalar(source.type, item, values.times));
    case 'input-key':
      return key(values.model, source.entity, single(values, source))[source.part];
    case 'input-key-list':
      return list(values, source).map((item) => key(values.model, source.entity, item)[source.part]);
    case 'argument':
      return argument(values.arguments?.[source.index] ?? null, source.readAs);
    case 'search':
      return boundSearch(String(values.inputs[source.index]), source);
    case 'time-zone':
      return zoneNamed(values.sessionValue('current_user_timeZoneId')) ?? 'UTC';
    case 'id':
      return values.id[source.part];
    case 'position':
      return values.position?.[source.column] ?? null;
    case 'limit':
      return values.limit;
    case 'offset':
      return values.offset ?? 0;
    default:
      return source satisfies never;
  }
}

/** A value that depends on the time of the request, as the value that it is then. */
function timed(type: LiteralType, value: ExactJson | undefined, { now, sessionValue }: Binding) {
  if (now === undefined || !isRelativeTime(value)) return value;
  const zoneOf = (name: string | undefined) =>
    name === undefined ? (zoneNamed(sessionValue('current_user_timeZoneId')) ?? 'UTC') : zoneNamed(name);
  return relativeTime(type, value, now, zoneOf) ?? value;
}

function scalar(type: LiteralType, value: ExactJson | undefined, times: TimeReading | undefined): SqlValue {
  const parsed = value === undefined ? undefined : parseFilterValue(type, value, times);
  if (parsed === undefined)
    throw refuse(`Cannot parse ${type.kind === 'enum' ? 'enum' : 'property'} value: ${textOf(value)}`);
  return parsed.value;
}

type Source<K extends ParameterSource['kind']> = Extract<ParameterSource, { kind: K }>;

const single = ({ inputs }: StatementValues, { index, at = [], declared }: Source<'input' | 'input-key'>) =>
  memberAt(declared ?? inputs[index], at);

function list(
  values: Binding,
  { index, operator, at, declared }: Source<'input-list' | 'input-key-list'>,
): readonly (ExactJson | undefined)[] {
  const value = declared ?? values.inputs[index];
  if (!Array.isArray(value)) throw refuse(`JSON array was expected as a value for condition with operator ${operator}`);
  if (at === undefined) return value;
  return (itemsByShape(values, value).get(at.shape) ?? []).map((item) => memberAt(item, at.names));
}

function itemsByShape({ divided }: Binding, list: readonly ExactJson[]): Map<string, ExactJson[]> {
  const groups = divided.get(list) ?? Map.groupBy(list, (item) => shapeKeyOf(shapeOf(item)));
  divided.set(list, groups);
  return groups;
}

const memberAt = (value: ExactJson | undefined, names: readonly string[]): ExactJson | undefined =>
  names.reduce((object, name) => (isExactObject(object) ? object[name] : undefined), value);

/** A reference to an instance: its key, or an object with an `id`; other members are ignored. */
function key(model: Model, entity: Entity, value: ExactJson | undefined): readonly SqlValue[] {
  const id = isExactObject(value) && Object.hasOwn(value, 'id') ? value['id'] : value;
  const parsed = id === undefined ? undefined : parseKeyValue(model, entity, id);
  if (parsed === undefined) throw refuse(`Cannot parse property value: ${textOf(value)}`);
  return keyInSql(model, entity, parsed);
}

/** The value of a declared parameter; of an open one, a text (or several) of the type of the other operand. */
function argument(value: QueryArgument, type: LiteralType | undefined): QueryArgument {
  if (type === undefined || value === null) return value;
  if (Array.isArray(value)) return value.map((item: SqlValue) => readAs(item, type));
  return readAs(value as SqlValue, type);
}

function readAs(value: SqlValue, type: LiteralType): SqlValue {
  if (value === null) return null;
  const parsed = parseText(type, String(value));
  if (parsed === undefined)
    throw new PlatformError('REQ_INVALID_PARAMETER', `'${String(value)}' is no ${typeNameOf(type)}`);
  return parsed.value;
}

function sessionValue(value: unknown, { type, form }: Extract<ParameterSource, { kind: 'session' }>): SqlValue {
  const isScalar = typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number';
  if (!isScalar) return null;
  const parsed = parseFilterValue(type, typeof value === 'number' ? new ExactNumber(String(value)) : value);
  if (parsed === undefined) return null;
  return form === undefined ? parsed.value : searchText(form, String(parsed.value));
}
