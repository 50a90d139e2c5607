import { DATATYPES, type Datatype } from '@lintel/metadata';

/** A datatype in the metadata API; the further members are texts (contract/metadata.md#datatypes). */
export type DatatypeInfo = { readonly id: string; readonly name: string } & Readonly<Record<string, string>>;

const numbers = (format: string, decimalSeparator: string): Readonly<Record<string, string>> => ({
  format,
  decimalSeparator,
  groupingSeparator: '',
});
const WHOLE = numbers('0', '');
const FLOATING = numbers('0.###', '.');

const FURTHER: Readonly<Partial<Record<Datatype, Readonly<Record<string, string>>>>> = {
  bigInteger: WHOLE,
  date: { format: 'yyyy-MM-dd' },
  dateTime: { format: "yyyy-MM-dd'T'HH:mm:ss.SSS" },
  decimal: numbers('0.####', '.'),
  double: FLOATING,
  float: FLOATING,
  int: WHOLE,
  long: WHOLE,
  short: WHOLE,
  time: { format: 'HH:mm:ss' },
};

/** All datatypes of the platform. */
export const describeDatatypes = (): readonly DatatypeInfo[] =>
  DATATYPES.map((id) => ({ id, name: id, ...FURTHER[id] }));
