import type { JsonVersion, RecordMember, ValueForm } from '@lintel/application';
import { entityOf, enumerationOf, type Model } from '@lintel/metadata';
import {
  canonicalScalar,
  type ExactJson,
  ExactNumber,
  isExactObject,
  type LiteralType,
  MAX_JSON_DEPTH,
  parseText,
  readJsonWithin,
  type TimeReading,
} from '@lintel/query';
import type { RequestLimits } from '@lintel/reading';
import { currentJson } from '../../client-versions/client-version.ts';
import { assertBodySize } from '../../limits/assert-body-size.ts';
import type { MemberCheck } from './member-check.ts';
import { parseEntityValue } from './parse-entity-value.ts';

/** Whether a value has at most the given number of levels; recursion over a deeper value could overflow the stack. */
function nestsWithin(json: ExactJson, levels: number): boolean {
  if (Array.isArray(json)) {
    return levels > 0 && (json as readonly ExactJson[]).every((item) => nestsWithin(item, levels - 1));
  }
  return !isExactObject(json) || (levels > 0 && Object.values(json).every((item) => nestsWithin(item, levels - 1)));
}

/** Dependencies of parsing parameters. */
export interface ParseEnvironment {
  readonly model: Model;
  /** The version of the model that the client uses; undefined for the current one. */
  readonly version: JsonVersion | undefined;
  /** Limits of a text that is parsed as JSON. */
  readonly limits: Pick<RequestLimits, 'batchItems' | 'graphNodes'>;
  /** What happens to offsets of date-times. */
  readonly offsets?: TimeReading['offsets'];
}

/** A value in the form of application code, or undefined if it does not have the type. */
export type ParsedValue = { readonly value: unknown } | undefined;

/**
 * Parses a parameter (contract/services.md#parameters). A JSON scalar is parsed from its text, since every value of a
 * URL is a text; a text for a structured type is parsed as JSON.
 *
 * @param check takes members of instances and records that have no meaning
 */
export function parseValue(
  environment: ParseEnvironment,
  form: ValueForm,
  json: ExactJson,
  check?: MemberCheck,
): ParsedValue {
  const { model, version } = environment;
  switch (form.kind) {
    case 'datatype':
      return parseScalarValue({ kind: 'datatype', datatype: form.datatype }, json, check);
    case 'enum':
      return parseScalarValue({ kind: 'enum', enumeration: enumerationOf(model, form.enumName) }, unquoted(json));
    case 'any':
    case 'void':
      return nestsWithin(json, MAX_JSON_DEPTH) && namesOnlyInstances(model, json) ? { value: json } : undefined;
    case 'entity': {
      const sent = structured(environment, json);
      const current = sent === undefined ? undefined : currentJson(version, form.entity, sent);
      const value = parseEntityValue(model, entityOf(model, form.entity), current, check);
      return value === undefined ? undefined : { value };
    }
    case 'list':
      return parseList(environment, form.item, structured(environment, json), check);
    case 'record':
      return parseRecord(environment, form.members, structured(environment, json), check);
    case 'object': {
      const value = structured(environment, json);
      return isExactObject(value) && namesOnlyInstances(model, value) ? { value } : undefined;
    }
    default:
      return form satisfies never;
  }
}

/** An object with an entity name is an instance: a method that returns it unchanged must return an instance. */
function namesOnlyInstances(model: Model, json: ExactJson): boolean {
  if (Array.isArray(json)) return json.every((item: ExactJson) => namesOnlyInstances(model, item));
  if (!isExactObject(json)) return true;
  const name = json['_entityName'];
  const entity = typeof name === 'string' ? model.entities.get(name) : undefined;
  if (entity !== undefined) return parseEntityValue(model, entity, json) !== undefined;
  return Object.values(json).every((member) => namesOnlyInstances(model, member));
}

/** A single value, parsed from its text. */
function parseScalarValue(type: LiteralType, json: ExactJson, times?: TimeReading): ParsedValue {
  if (json === null) return { value: undefined };
  const isSingle = typeof json === 'string' || typeof json === 'boolean' || json instanceof ExactNumber;
  if (!isSingle) return undefined;
  const parsed = canonicalScalar(type, withMidnight(type, String(json)), times);
  // `1e999` is a number, but its decimal form exceeds the maximum length.
  if (parsed === undefined || (typeof parsed.value === 'string' && parseText(type, parsed.value) === undefined))
    return undefined;
  return { value: parsed.value ?? undefined };
}

/** A date alone is accepted for a point in time. */
const withMidnight = (type: LiteralType, text: string): string =>
  type.kind === 'datatype' && type.datatype === 'dateTime' && /^\d{4}-\d{2}-\d{2}$/.test(text)
    ? `${text}T00:00:00`
    : text;

/** The constant `"NEW"` in a URL may have quotation marks. */
const unquoted = (json: ExactJson): ExactJson =>
  typeof json === 'string' ? (/^"(.*)"$/s.exec(json)?.[1] ?? json) : json;

function structured({ limits }: ParseEnvironment, json: ExactJson): ExactJson | undefined {
  if (typeof json === 'string') assertBodySize(json, limits);
  const value = typeof json === 'string' ? readText(json) : json;
  return value !== undefined && nestsWithin(value, MAX_JSON_DEPTH) ? value : undefined;
}

function readText(text: string): ExactJson | undefined {
  try {
    return readJsonWithin(text, MAX_JSON_DEPTH);
  } catch {
    // Not JSON: the value does not have the type.
    return undefined;
  }
}

function parseList(
  environment: ParseEnvironment,
  item: ValueForm,
  json: ExactJson | undefined,
  check: MemberCheck | undefined,
): ParsedValue {
  if (!Array.isArray(json)) return undefined;
  const values: unknown[] = [];
  for (const [index, element] of (json as readonly ExactJson[]).entries()) {
    const isNone = element === null && item.kind !== 'any';
    const parsed = isNone ? undefined : parseValue(environment, item, element, check?.at(index));
    if (parsed === undefined) return undefined;
    values.push(parsed.value);
  }
  return { value: values };
}

function parseRecord(
  environment: ParseEnvironment,
  members: Readonly<Record<string, RecordMember>>,
  json: ExactJson | undefined,
  check: MemberCheck | undefined,
): ParsedValue {
  if (!isExactObject(json)) return undefined;
  check?.record(json, Object.keys(members));
  const value: Record<string, unknown> = {};
  for (const [name, { form, required }] of Object.entries(members)) {
    const sent = Object.hasOwn(json, name) ? (json[name] ?? null) : null;
    const parsed = sent === null ? undefined : parseValue(environment, form, sent, check?.of(name));
    if (parsed === undefined && (required || sent !== null)) return undefined;
    if (parsed !== undefined) value[name] = parsed.value;
  }
  return { value };
}
