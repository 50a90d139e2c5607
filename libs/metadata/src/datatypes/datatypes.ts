/**
 * The datatypes of attributes. Ids are those of `GET /metadata/datatypes`
 * (contract/metadata.md#datatypes).
 */
export const DATATYPES = [
  'bigInteger',
  'boolean',
  'byteArray',
  'char',
  'date',
  'dateTime',
  'decimal',
  'double',
  'fileRef',
  'float',
  'int',
  'json',
  'localDate',
  'localDateTime',
  'localTime',
  'long',
  'offsetDateTime',
  'offsetTime',
  'short',
  'string',
  'time',
  'uri',
  'uuid',
] as const;

/** The id of a datatype. */
export type Datatype = (typeof DATATYPES)[number];

/**
 * The family a datatype belongs to: it decides the filter operators (contract/filters.md#types) and how a JSON
 * value is read and written (contract/instances.md#values).
 */
export type DatatypeFamily =
  | 'text'
  | 'boolean'
  | 'integer'
  | 'floating'
  | 'decimal'
  | 'uuid'
  | 'temporal'
  | 'binary'
  | 'reference-text'
  /** Any JSON value, objects and arrays too. */
  | 'json';

const FAMILIES: Readonly<Record<Datatype, DatatypeFamily>> = Object.freeze({
  bigInteger: 'decimal',
  boolean: 'boolean',
  byteArray: 'binary',
  char: 'text',
  date: 'temporal',
  dateTime: 'temporal',
  decimal: 'decimal',
  double: 'floating',
  fileRef: 'reference-text',
  float: 'floating',
  int: 'integer',
  json: 'json',
  localDate: 'temporal',
  localDateTime: 'temporal',
  localTime: 'temporal',
  long: 'integer',
  offsetDateTime: 'temporal',
  offsetTime: 'temporal',
  short: 'integer',
  string: 'text',
  time: 'temporal',
  uri: 'reference-text',
  uuid: 'uuid',
});

/** The family of a datatype. */
export const familyOf = (datatype: Datatype): DatatypeFamily => FAMILIES[datatype];

/** The Java type names in the error texts of the reference (contract/filters.md#checks). */
const JAVA_TYPES: Readonly<Record<Datatype, string>> = Object.freeze({
  bigInteger: 'java.math.BigInteger',
  boolean: 'java.lang.Boolean',
  byteArray: '[B',
  char: 'java.lang.Character',
  date: 'java.sql.Date',
  dateTime: 'java.util.Date',
  decimal: 'java.math.BigDecimal',
  double: 'java.lang.Double',
  fileRef: 'io.jmix.core.FileRef',
  float: 'java.lang.Float',
  int: 'java.lang.Integer',
  json: 'com.fasterxml.jackson.databind.JsonNode',
  localDate: 'java.time.LocalDate',
  localDateTime: 'java.time.LocalDateTime',
  localTime: 'java.time.LocalTime',
  long: 'java.lang.Long',
  offsetDateTime: 'java.time.OffsetDateTime',
  offsetTime: 'java.time.OffsetTime',
  short: 'java.lang.Short',
  string: 'java.lang.String',
  time: 'java.sql.Time',
  uri: 'java.net.URI',
  uuid: 'java.util.UUID',
});

/** The type name used in error texts that existing clients may compare. */
export const javaTypeOf = (datatype: Datatype): string => JAVA_TYPES[datatype];
