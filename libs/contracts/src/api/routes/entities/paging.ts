import { inHeader, inQuery, type ParameterDescription } from '../../route-description.ts';
import {
  DYNAMIC_ATTRIBUTES,
  FETCH_PLAN,
  HIGHLIGHTS,
  LIMIT,
  OFFSET,
  Q,
  RETURN_COUNT,
  RETURN_NULLS,
} from '../parameters.ts';

export const PREFER = inHeader(
  'Prefer',
  '`count=exact`, `count=estimated`, `count=none`; `server-timing`; `handling=strict` refuses unknown parameters',
);
export const CURSOR = inQuery(
  'cursor',
  'Where the page begins, from the `Link` of an earlier response; not together with `offset`',
);
const SORT = inQuery('sort', 'Attributes with commas; `-` sorts descending; `-_rank` of the matches of `q`');
/** The parameters of a list. */
export const PAGING: readonly ParameterDescription[] = [
  ...[FETCH_PLAN, Q, HIGHLIGHTS, LIMIT, OFFSET, CURSOR, SORT],
  ...[RETURN_NULLS, DYNAMIC_ATTRIBUTES, RETURN_COUNT, PREFER],
];
export const APPLIED = { 'Preference-Applied': 'Preferences that were followed' };
export const LIST_HEADERS = {
  'X-Total-Count': 'Number of all matching instances, if requested',
  Link: 'The next page (`rel="next"`), if the request has a `limit` and the page is full',
  ...APPLIED,
};
/** The headers of lists that may be searched. */
export const SEARCH_HEADERS = { ...LIST_HEADERS, 'X-Candidates': 'Number of matches of `q` that are ranked at most' };
