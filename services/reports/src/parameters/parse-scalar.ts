import type { ReportParameter } from '@lintel/application';
import { PlatformError } from '@lintel/errors';
import { type Datatype, type Model, plainDecimal } from '@lintel/metadata';
import { parseText } from '@lintel/query';

/** Types whose values are written as one text, how that text is read, and how it is explained. */
const DATATYPES = {
  BOOLEAN: ['boolean', 'true or false'],
  NUMERIC: ['decimal', 'a number with a decimal point and without grouping'],
  DATE: ['localDate', 'a date as yyyy-MM-dd'],
  TIME: ['localTime', 'a time as HH:mm or HH:mm:ss'],
  DATETIME: ['localDateTime', 'a date and time as yyyy-MM-ddTHH:mm:ss'],
} as const satisfies Record<string, readonly [Datatype, string]>;

/**
 * Reads a value of a scalar parameter from its locale-independent text (contract §1.5). Blank text is null,
 * except for TEXT.
 *
 * @returns NUMERIC as plain decimal text, never rounded (decisions.md 15); dates and times in full ISO form
 * @throws REPORT_INVALID_PARAMETER naming the alias (decisions.md 32)
 */
export function parseScalarParameter(
  parameter: Pick<ReportParameter, 'alias' | 'type' | 'enumeration'>,
  text: string,
  model: Pick<Model, 'enums'>,
): string | boolean | null {
  const { alias, type } = parameter;
  if (type === 'TEXT') return text;
  const trimmed = text.trim();
  if (trimmed === '') return null;
  switch (type) {
    case 'ENUMERATION': {
      const names = model.enums.get(parameter.enumeration ?? '')?.values.map(({ name }) => name) ?? [];
      if (!names.includes(trimmed)) throw invalid(alias, text, `one of ${names.join(', ')}`);
      return trimmed;
    }
    case 'BOOLEAN':
    case 'NUMERIC':
    case 'DATE':
    case 'TIME':
    case 'DATETIME': {
      const [datatype, expected] = DATATYPES[type];
      const value = parseText({ kind: 'datatype', datatype }, trimmed)?.value;
      const canonical = value === undefined ? undefined : canonicalForm(type, value);
      if (canonical === undefined) throw invalid(alias, text, expected);
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
    case 'NUMERIC':
      return plainDecimal(text);
    case 'TIME':
      return wholeSeconds(text);
    case 'DATETIME':
      return `${text.slice(0, 11)}${wholeSeconds(text.slice(11))}`;
    default:
      return text;
  }
}

/** `HH:mm` → `HH:mm:00`; a fraction stays. */
const wholeSeconds = (time: string): string => (time.length === 5 ? `${time}:00` : time);

const invalid = (alias: string, text: string, expected: string): PlatformError =>
  new PlatformError('REPORT_INVALID_PARAMETER', `Parameter "${alias}": cannot convert '${text}' into ${expected}`);
