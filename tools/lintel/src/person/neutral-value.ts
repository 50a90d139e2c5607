import { hash } from 'node:crypto';
import { checkRule } from '@lintel/entities';
import { type Datatype, enumerationOf, type Model } from '@lintel/metadata';
import type { PersonalColumn, Valued } from './personal-columns.ts';

/** The value of an erased column as JSON of its type, and whether it keeps the rules of the attribute. */
export interface NeutralValue {
  readonly value: unknown;
  readonly keepsRules: boolean;
}

/** The value of a personal column after an erasure: none, or where it needs one, the first that keeps its rules. */
export function neutralValue(
  model: Model,
  { attribute, isNullable, owner }: PersonalColumn,
  key: string,
): NeutralValue {
  if (isNullable) return { value: null, keepsRules: true };
  if (attribute.kind === 'elements' && owner === undefined) return { value: [], keepsRules: true };
  if (attribute.kind === 'enum')
    return { value: enumerationOf(model, attribute.enumName).values[0]?.id ?? null, keepsRules: true };
  const values = candidatesOf(attribute, key);
  const now = new Date().toISOString().slice(0, -1);
  const kept = values.find((value) =>
    attribute.rules.every((rule) => checkRule(rule, value, attribute.datatype, now) === undefined),
  );
  const value = kept ?? values[0];
  return {
    value: typeof value === 'boolean' ? storedBoolean(attribute, value) : value,
    keepsRules: kept !== undefined,
  };
}

const TEXTS: readonly Datatype[] = ['string', 'uri', 'fileRef'];
const NUMBERS: readonly Datatype[] = ['short', 'int', 'long', 'bigInteger', 'float', 'double', 'decimal'];

function candidatesOf({ datatype, length, rules }: Exclude<Valued, { kind: 'enum' }>, key: string): readonly unknown[] {
  const id = hash('sha256', key, 'hex');
  if (TEXTS.includes(datatype)) {
    const long = `erased-${id.slice(0, 32)}`;
    const fits = (text: string): boolean => length === undefined || text.length <= length;
    const texts = [long, `${long}@erased.invalid`, `e${id.slice(0, 8)}@erased.invalid`, id];
    // Unique also where only some characters fit.
    return [...texts.filter(fits), id.slice(0, length), BigInt(`0x${id}`).toString().slice(0, length)];
  }
  if (NUMBERS.includes(datatype))
    return [0, 1, ...rules.flatMap((rule) => (rule.kind === 'min' || rule.kind === 'max' ? [Number(rule.value)] : []))];
  const [past, future] = ['1900-01-01', '2900-01-01'];
  switch (datatype) {
    case 'boolean':
      return [false, true];
    case 'uuid':
      return [id.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*/, '$1-$2-4$3-8$4-$5')];
    case 'char':
      return ['-'];
    case 'json':
      return [{}];
    case 'byteArray':
      return ['\\x'];
    case 'localTime':
    case 'time':
      return ['00:00:00'];
    case 'offsetTime':
      return ['00:00:00+00'];
    case 'date':
    case 'localDate':
      return [past, future];
    default:
      return [past, future].map((day) => `${day}T00:00:00${datatype.startsWith('offset') ? 'Z' : ''}`);
  }
}

const storedBoolean = (attribute: Valued, value: boolean): unknown =>
  attribute.kind === 'datatype' && attribute.storedValues !== undefined
    ? attribute.storedValues[value ? 'true' : 'false']
    : value;
