import { BOOLEAN, COUNT, inHeader, inQuery } from '../route-description.ts';

/** Of the endpoints that accept and return instances (contract/model-versions.md#model-versions). */
export const MODEL_VERSION = inQuery('modelVersion', 'Earlier version of the model that the client speaks');
export const FETCH_PLAN = inQuery('fetchPlan', 'Name of a fetch plan, or an inline plan as JSON');
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
