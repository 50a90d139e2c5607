import { writeJson } from '../json/write-json.ts';

/** Where the parts of the API are, below the address of the server. */
export interface Paths {
  /** `/rest`, as all of the others begin unless the server is configured otherwise. */
  readonly base: string;
  /** `/rest/entities` by default. */
  readonly entities: string;
  /** `/rest/queries` by default. */
  readonly queries: string;
  /** `/rest/services` by default. */
  readonly services: string;
  /** Below `base` by default, as are all that follow: `/rest/changes`. */
  readonly changes?: string;
  readonly files?: string;
  readonly metadata?: string;
  readonly messages?: string;
  readonly permissions?: string;
  readonly userInfo?: string;
  readonly userSession?: string;
  readonly tickets?: string;
}

/** Where reports are, with any configuration. */
export const REPORTS_PATH = '/rest/reports';

/** Where the parts of the API are with the default configuration. */
export const DEFAULT_PATHS: Paths = {
  base: '/rest',
  entities: '/rest/entities',
  queries: '/rest/queries',
  services: '/rest/services',
};

/** Where files are. */
export const filesPath = ({ base, files }: Paths): string => files ?? `${base}/files`;

/** The id of an instance: of several attributes it is an object. */
export type Id = string | number | bigint | object;

/**
 * Appends segments to a path.
 *
 * @throws TypeError for an empty segment, `.` and `..`, with which the path would be that of another resource
 */
export const pathOf = (path: string, ...segments: readonly Id[]): string =>
  [path, ...segments.map(segmentOf)].join('/');

function segmentOf(id: Id): string {
  const text = typeof id === 'object' ? base64Url(id) : `${id}`;
  if (/^\.{0,2}$/.test(text)) throw new TypeError(`"${text}" cannot be an id or a name in a path`);
  return encodeURIComponent(text);
}

/** Appends the parameters that are given to a path. */
export function withQuery(path: string, parameters: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  if (given.length === 0) return path;
  return `${path}?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, textOf(value)]))}`;
}

const textOf = (value: unknown): string =>
  value instanceof Date ? value.toISOString() : typeof value === 'object' ? writeJson(value) : String(value);

const base64Url = (id: object): string => toBase64Url(new TextEncoder().encode(writeJson(id)));

/** Base64 of a few bytes. */
export const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));

/** Base64 of bytes that may stand in a URL. */
export const toBase64Url = (bytes: Uint8Array): string =>
  toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
