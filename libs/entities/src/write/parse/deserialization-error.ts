import { PlatformError, shortened } from '@lintel/errors';
import type { ExactJson, LiteralType } from '@lintel/query';

/**
 * The error of a single create names the mistake in `error`; all others have a generic text
 * (contract/writing.md#body-errors).
 */
export type ParseMode = 'single-create' | 'other';

const WORDS: Readonly<Record<string, string>> = {
  bigInteger: 'an integer',
  boolean: 'true or false',
  byteArray: 'a Base64 text',
  char: 'a text of one character',
  date: 'a date in the form YYYY-MM-DD',
  dateTime: 'a date and time in the form YYYY-MM-DDTHH:mm:ss.SSS',
  decimal: 'a decimal number',
  double: 'a number',
  fileRef: 'a file reference in the form <storage>://<path>?name=<file name>',
  float: 'a number',
  int: 'a 32-bit integer',
  localDate: 'a date in the form YYYY-MM-DD',
  localDateTime: 'a date and time in the form YYYY-MM-DDTHH:mm:ss.SSS',
  localTime: 'a time in the form HH:mm:ss',
  long: 'a 64-bit integer',
  offsetDateTime: 'a date and time with an offset in the form YYYY-MM-DDTHH:mm:ss.SSS+HH:mm',
  offsetTime: 'a time with an offset in the form HH:mm:ss+HH:mm',
  short: 'a 16-bit integer',
  string: 'a text without the character NUL',
  time: 'a time in the form HH:mm:ss',
  uri: 'a text',
  uuid: 'a UUID',
};

/** Datatypes whose parser the reference names in the error of a single create. */
const NAMED_IN_ERROR = new Set(['boolean', 'uuid', 'short', 'float', 'bigInteger']);

/** 400 `Cannot deserialize an entity from JSON`, or the more exact `error` of a single create. */
export const cannotDeserialize = (details: string, mode: ParseMode = 'other', exactError?: string): PlatformError =>
  new PlatformError(
    'REQ_CANNOT_DESERIALIZE',
    details,
    mode === 'single-create' && exactError !== undefined ? { error: exactError } : {},
  );

const shown = (json: ExactJson): string => shortened(typeof json === 'string' ? json : JSON.stringify(json));

/** The value of a scalar attribute is not one of its type. A secret value is not repeated. */
export function wrongScalar(
  path: string,
  type: LiteralType,
  json: ExactJson,
  mode: ParseMode,
  isSecret = false,
): PlatformError {
  const value = isSecret ? '***' : shown(json);
  if (type.kind === 'enum') {
    return cannotDeserialize(
      `Attribute '${path}' must be one of ${type.enumeration.values.map(({ name }) => name).join(', ')}`,
      mode,
      `An error occurred while parsing enum. Class [class ${type.enumeration.name}]. Value [${value}].`,
    );
  }
  const isNoText = type.datatype === 'string' && typeof json !== 'string';
  const details = `Attribute '${path}' must be ${isNoText ? 'a text' : (WORDS[type.datatype] ?? type.datatype)}`;
  return NAMED_IN_ERROR.has(type.datatype)
    ? cannotDeserialize(
        details,
        mode,
        `An error occurred while parsing property. Type [${type.datatype}]. Value [${value}].`,
      )
    : cannotDeserialize(details, mode);
}

/** The value of a to-one reference or an embedded attribute is no object. */
export const notAnObject = (path: string, name: string, mode: ParseMode): PlatformError =>
  cannotDeserialize(
    `Attribute '${path}' must be a JSON object`,
    mode,
    `Attribute '${name}' refers to an entity. Property value must be a JSON object literal`,
  );

/** The value of a collection is no array. */
export const notAnArray = (path: string, name: string, mode: ParseMode): PlatformError =>
  cannotDeserialize(
    `Attribute '${path}' must be a JSON array`,
    mode,
    `Attribute '${name}' refers to a collection. Property value must be a JSON array literal`,
  );
