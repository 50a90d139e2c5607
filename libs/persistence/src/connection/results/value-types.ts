import { types } from 'pg';

const asText = (text: string): string => text;
const asBoolean = (text: string): boolean => text === 't';

const BOOLEAN = 16;
const BYTEA = 17;
const INT2 = 21;
const INT4 = 23;
const OID = 26;
const FLOAT4 = 700;
const FLOAT8 = 701;
const TEXT_ARRAY = 1009;
const VARCHAR_ARRAY = 1015;

/**
 * Converts only types that a JavaScript value represents exactly: booleans, 32-bit integers, floats, bytes and arrays
 * of texts. All other values stay the text that PostgreSQL sent: `bigint` and `numeric` would lose digits, dates would
 * change zones, and JSON is passed on to the client without being parsed.
 */
export const TEXT_FIRST_TYPES = {
  // biome-ignore lint/suspicious/noExplicitAny: the driver's own signature
  getTypeParser(oid: number, format?: any): any {
    switch (oid) {
      case BOOLEAN:
        return asBoolean;
      case INT2:
      case INT4:
      case OID:
      case FLOAT4:
      case FLOAT8:
        return Number;
      case BYTEA:
      case TEXT_ARRAY:
      case VARCHAR_ARRAY:
        return types.getTypeParser(oid as typeof BYTEA, format);
      default:
        return asText;
    }
  },
};
