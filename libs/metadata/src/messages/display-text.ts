import type { Datatype } from '../datatypes/datatypes.ts';
import type { Display } from './display.ts';
import type { NumberKind, TemporalKind } from './locale-formats.ts';
import { formatDecimal } from './patterns/format-decimal.ts';
import { formatTemporal } from './patterns/format-temporal.ts';

const NUMBERS: Readonly<Partial<Record<Datatype, NumberKind>>> = {
  short: 'integer',
  int: 'integer',
  long: 'integer',
  bigInteger: 'integer',
  decimal: 'decimal',
  double: 'floating',
  float: 'floating',
};

const TEMPORALS: Readonly<Partial<Record<Datatype, TemporalKind>>> = {
  date: 'date',
  localDate: 'date',
  dateTime: 'dateTime',
  localDateTime: 'dateTime',
  offsetDateTime: 'offsetDateTime',
  time: 'time',
  localTime: 'time',
  offsetTime: 'offsetTime',
};

/** Which default pattern numbers of a datatype get; undefined for other datatypes. */
export const numberKindOf = (datatype: Datatype): NumberKind | undefined => NUMBERS[datatype];
/** Which default pattern dates and times of a datatype get; undefined for other datatypes. */
export const temporalKindOf = (datatype: Datatype): TemporalKind | undefined => TEMPORALS[datatype];

/**
 * A value as text for people: numbers, dates and booleans in the format of the locale, other values unchanged.
 *
 * @param text the value in its JSON form, numbers exact
 */
export function displayText(datatype: Datatype, text: string, display: Display): string {
  const number = NUMBERS[datatype];
  if (number !== undefined) return formatDecimal(text, display.numbers[number], display.symbols);
  const temporal = TEMPORALS[datatype];
  if (temporal !== undefined) return formatTemporal(text, display.temporals[temporal], display.locale);
  if (datatype === 'boolean') return text === 'true' ? display.trueText : display.falseText;
  return text;
}
