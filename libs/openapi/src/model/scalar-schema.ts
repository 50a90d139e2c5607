import { FILE_REFERENCE, type Schema } from '@lintel/contracts';
import type { Datatype, DatatypeAttribute } from '@lintel/metadata';

/**
 * The JSON form of a datatype's values (contract/instances.md#values, contract/decisions.md#3, #15). Formats are
 * those of the OpenAPI registry.
 */
const SCALARS: Readonly<Record<Datatype, Schema>> = {
  bigInteger: { type: 'integer', format: 'int64', description: 'May have more digits than 64 bits' },
  boolean: { type: 'boolean' },
  byteArray: { type: 'string', format: 'byte', contentEncoding: 'base64' },
  char: { type: 'string', format: 'char', maxLength: 1 },
  date: { type: 'string', format: 'date' },
  dateTime: { type: 'string', format: 'date-time-local' },
  decimal: { type: 'number', format: 'double', description: 'Exact: all digits are sent' },
  double: { type: 'number', format: 'double' },
  fileRef: FILE_REFERENCE,
  float: { type: 'number', format: 'float' },
  int: { type: 'integer', format: 'int32' },
  json: { description: 'Any JSON value' },
  localDate: { type: 'string', format: 'date' },
  localDateTime: { type: 'string', format: 'date-time-local' },
  localTime: { type: 'string', format: 'time-local' },
  long: { type: 'integer', format: 'int64' },
  offsetDateTime: { type: 'string', format: 'date-time' },
  offsetTime: { type: 'string', format: 'time' },
  short: { type: 'integer', format: 'int16' },
  string: { type: 'string' },
  time: { type: 'string', format: 'time-local' },
  uri: { type: 'string', format: 'uri-reference' },
  uuid: { type: 'string', format: 'uuid' },
};

/** The schema of a datatype's values in JSON. */
export const scalarSchema = (datatype: Datatype): Schema => SCALARS[datatype];

const UNBOUNDED: Schema = {
  type: 'string',
  description: 'Also `infinity`, `-infinity`, and other years: `0044-03-15 BC`, `12026-01-01`',
};

/** The schema of the values of an attribute. */
export const schemaOfValues = ({ datatype, formatless }: Pick<DatatypeAttribute, 'datatype' | 'formatless'>): Schema =>
  formatless === true ? UNBOUNDED : scalarSchema(datatype);
