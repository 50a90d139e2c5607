import { type ParsedUrlQuery, parse } from 'node:querystring';

const NONE: Readonly<ParsedUrlQuery> = Object.freeze(Object.create(null));

/** The parameters of the query of a URL, as `request.query` of our applications. It is parsed at each call. */
export function queryOf({ url }: { readonly url: string }): Readonly<ParsedUrlQuery> {
  const start = url.indexOf('?');
  if (start < 0) return NONE;
  const end = url.indexOf('#', start);
  return parse(url.slice(start + 1, end < 0 ? url.length : end));
}
