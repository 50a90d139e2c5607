import type { ReportParameter } from '@lintel/application';
import { PlatformError } from '@lintel/errors';
import { type Datatype, type Model, plainDecimal } from '@lintel/metadata';
import { type ExactJson, ExactNumber, isExactObject, parseText, storedTime, type TimeReading } from '@lintel/query';

/** Types with a textual form: the datatype that parses it, and its description for errors. */
const DATATYPES = {
  BOOLEAN: ['boolean', 'true or false'],
  NUMERIC: ['decimal', 'a number with a decimal point and without grouping'],
  DATE: ['localDate', 'a date as yyyy-MM-dd'],
  TIME: ['localTime', 'a time as HH:mm or HH:mm:ss'],
  DATETIME: ['dateTime', 'a date and time as yyyy-MM-ddTHH:mm:ss'],
} as const satisfies Record<string, readonly [Datatype, string]>;

/** Without characters that no stored text has. */
const STRING = { kind: 'datatype', datatype: 'string' } as const;
const DECIMAL = { kind: 'datatype', datatype: 'decimal' } as const;

type ScalarParameter = Pick<ReportParameter, 'alias' | 'type' | 'enumeration'>;

/**
 * Parses a value of a scalar parameter that a client sent as JSON. Numbers and booleans are parsed as their text
 * (contract/reports.md#run).
 *
 * @throws REPORT_INVALID_PARAMETER naming the alias, also for lists and objects (contract/decisions.md#65)
 */
export function parseScalarValue(
  parameter: ScalarParameter,
  value: NonNullable<ExactJson>,
  model: Pick<Model, 'enums'>,
  times?: TimeReading,
): string | boolean | null {
  if (typeof value === 'string' || typeof value === 'boolean' || value instanceof ExactNumber)
    return parseScalarParameter(parameter, String(value), model, times);
  throw invalidParameter(parameter.alias, kindOf(value), expectedOf(parameter, model));
}

/** Describes the kind of a JSON value for an error. */
export const kindOf = (value: ExactJson): string =>
  Array.isArray(value) ? 'an array' : isExactObject(value) ? 'an object' : String(value);

/**
 * Parses a value of a scalar parameter from its locale-independent text (contract/reports.md#run). Blank text is null,
 * except for TEXT.
 *
 * @param times how the offset of a date or time is read
 * @returns NUMERIC as plain decimal text, never rounded (contract/decisions.md#15); dates and times in full ISO form
 * @throws REPORT_INVALID_PARAMETER naming the alias (contract/decisions.md#32)
 */
export function parseScalarParameter(
  parameter: ScalarParameter,
  text: string,
  model: Pick<Model, 'enums'>,
  times?: TimeReading,
): string | boolean | null {
  const { alias, type } = parameter;
  const invalid = (): PlatformError => invalidParameter(alias, `'${text}'`, expectedOf(parameter, model));
  if (type === 'TEXT') {
    if (parseText(STRING, text) === undefined) throw invalid();
    return text;
  }
  const trimmed = text.trim();
  if (trimmed === '') return null;
  switch (type) {
    case 'ENUMERATION':
      if (!constantsOf(parameter, model).includes(trimmed)) throw invalid();
      return trimmed;
    case 'BOOLEAN':
    case 'NUMERIC':
    case 'DATE':
    case 'TIME':
    case 'DATETIME': {
      const [datatype] = DATATYPES[type];
      const literal = { kind: 'datatype', datatype } as const;
      const parsed = parseText(literal, trimmed);
      const value =
        parsed?.offset === undefined
          ? parsed?.value
          : storedTime({ ...literal, microseconds: true }, parsed, times, alias)?.value;
      const canonical = value === undefined ? undefined : canonicalForm(type, value);
      if (canonical === undefined) throw invalid();
      return canonical;
    }
    case 'ENTITY':
    case 'ENTITY_LIST':
      throw new TypeError(`${alias} is not scalar`);
    default:
      return type satisfies never;
  }
}

function canonicalForm(
  type: keyof typeof DATATYPES,
  value: string | number | boolean | null,
): string | boolean | undefined {
  if (typeof value === 'boolean') return value;
  const text = String(value);
  switch (type) {
    case 'NUMERIC': {
      // Data sets get the plain form, and read no more digits than the parameter has.
      const plain = plainDecimal(text);
      return plain === undefined || parseText(DECIMAL, plain) === undefined ? undefined : plain;
    }
    case 'TIME':
      return wholeSeconds(text);
    case 'DATETIME':
      return `${text.slice(0, 11)}${wholeSeconds(text.slice(11))}`;
    default:
      return text;
  }
}

/** `HH:mm` → `HH:mm:00`; a fraction is kept. */
const wholeSeconds = (time: string): string => (time.length === 5 ? `${time}:00` : time);

const constantsOf = ({ enumeration = '' }: ScalarParameter, { enums }: Pick<Model, 'enums'>): readonly string[] =>
  enums.get(enumeration)?.values.map(({ name }) => name) ?? [];

function expectedOf(parameter: ScalarParameter, model: Pick<Model, 'enums'>): string {
  const { type } = parameter;
  if (type === 'ENUMERATION') return `one of ${constantsOf(parameter, model).join(', ')}`;
  return type in DATATYPES ? DATATYPES[type as keyof typeof DATATYPES][1] : 'a text';
}

/** Creates the error of an invalid value of a parameter (contract/decisions.md#32). */
export const invalidParameter = (alias: string, given: string, expected: string): PlatformError =>
  new PlatformError('REPORT_INVALID_PARAMETER', `Parameter "${alias}": cannot convert ${given} into ${expected}`);
