import { readLocalTime, writeLocalTime } from './local-time.ts';

const INPUT_TYPES: Readonly<Record<string, keyof typeof FORMS>> = {
  date: 'date',
  dateTime: 'datetime-local',
  localDate: 'date',
  localDateTime: 'datetime-local',
  localTime: 'time',
  time: 'time',
};

/** What inputs of the browser show. */
const FORMS = {
  date: /^\d{4,}-\d\d-\d\d$/,
  'datetime-local': /^\d{4,}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?$/,
  time: /^\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?$/,
};

/** The type of the input of the browser for a value: `text` where another one would show nothing, as for `infinity`. */
export function inputTypeOf(datatype: string, value: string): 'text' | keyof typeof FORMS {
  const type = INPUT_TYPES[datatype];
  return type !== undefined && (value === '' || FORMS[type].test(value)) ? type : 'text';
}

/** The step of an input for times, in seconds: minutes are enough for a value without seconds. */
export function stepOf(value: string): string {
  if (/\.\d*[1-9]/.test(value)) return '0.001';
  return /:\d\d:(?!00)\d\d/.test(value) ? '1' : '60';
}

/** The input for a moment, and the moment of what is entered: in the zone of the user, or a text without a local time. */
export function inputOfMoment(moment: string): {
  readonly type: string;
  readonly value: string;
  readonly momentOf: (entered: string) => string | undefined;
} {
  const value = readLocalTime(moment) || moment;
  const type = inputTypeOf('dateTime', value);
  return { type, value, momentOf: type === 'text' ? (entered) => entered : writeLocalTime };
}
