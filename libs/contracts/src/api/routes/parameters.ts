import { BOOLEAN, COUNT, inHeader, inPath, inQuery, type Schema } from '../route-description.ts';

export const UUID: Schema = { type: 'string', format: 'uuid' };
/** The name of a user, a role or another part of the system. */
export const NAME = { type: 'string', minLength: 1, maxLength: 255 } as const satisfies Schema;
/** An id or a cursor: both have the values of a key. */
export const KEY_TEXT = { ...NAME, maxLength: 8_000 } as const satisfies Schema;
export const VERSION_NUMBER = {
  ...inPath('number', 'The number of the version', { type: 'string', pattern: String.raw`^[1-9]\d{0,6}$` }),
  example: '1',
};

/** Of the endpoints that accept and return instances (contract/model-versions.md#model-versions). */
export const MODEL_VERSION = inQuery('modelVersion', 'Earlier version of the model that the client speaks');
export const FETCH_PLAN = {
  ...inQuery('fetchPlan', 'Name of a fetch plan, or an inline plan as JSON'),
  example: '_base',
};
/** The greatest number of characters of a search. */
export const MAX_SEARCH_LENGTH = 200;
export const SEARCH_TEXT = {
  type: 'string',
  maxLength: MAX_SEARCH_LENGTH,
  description: 'Words that searchable attributes have; without `sort`, the best matches come first',
} as const satisfies Schema;
export const Q = inQuery('q', SEARCH_TEXT.description, SEARCH_TEXT);
export const HIGHLIGHTS = inQuery(
  'highlights',
  'Whether instances have `_highlights`, the parts of their texts that `q` finds; with a `limit` of at most 100',
  BOOLEAN,
);
export const LIMIT = inQuery('limit', 'Greatest number of rows', COUNT);
export const OFFSET = inQuery('offset', 'Zero-based position of the first row', COUNT);
export const RETURN_NULLS = inQuery('returnNulls', 'Whether attributes without a value are listed as null', BOOLEAN);
export const RETURN_COUNT = inQuery('returnCount', 'Whether `X-Total-Count` is sent', BOOLEAN);
const DELETED_TEXT = 'Soft-deleted instances alone, or with the others; needs the specific policy `bin.read`';
export const DELETED_VALUES = { type: 'string', enum: ['only', 'with'] } as const;
/** A parameter of the endpoints that read soft-deleted instances (contract/bin.md#reading). */
export const DELETED = inQuery('deleted', DELETED_TEXT, DELETED_VALUES);
export const DYNAMIC_ATTRIBUTES = inQuery(
  'dynamicAttributes',
  'Whether the attributes that administrators defined are shown, as members `+code`, and known to filters and sorts',
  BOOLEAN,
);
export const IF_NONE_MATCH = inHeader('If-None-Match', 'Tags of responses that the client has');
export const ACCEPT_LANGUAGE = inHeader('Accept-Language', 'Another language than that of the caller');

/** `characters`, escapes, and all beyond ASCII: also spaces and controls, which `parseFileReference` refuses. */
const uriText = (characters: string): string =>
  `(?:[A-Za-z0-9._~!$'()*+,;:@/${characters}-]|%[0-9A-Fa-f]{2}|[^\\x00-\\x7F])`;
const FILE_PATTERN = `^[A-Za-z][A-Za-z0-9+.-]*://${uriText('&=')}+\\?${uriText('?')}*=${uriText('?')}*(?:&${uriText('?')}*=${uriText('?')}*)*$`;
/** The schema of file references. */
export const FILE_REFERENCE: Schema = {
  type: 'string',
  description: 'File reference, `<storage>://<path>?name=<name>`',
  pattern: FILE_PATTERN,
  examples: ['fs://2026/01/31/00000000-0000-4000-8000-000000000001?name=note.txt'],
};
