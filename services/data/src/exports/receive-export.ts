import type { IncomingMessage } from 'node:http';
import { EXPORT_TYPES } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import {
  acceptedType,
  isUsualAccept,
  type RequestCheck,
  type RoutedRequest,
  requireAcceptable,
  requireJsonAcceptable,
} from '@lintel/http';
import type { ExportForm, ExportFormat } from '@lintel/reading';

const FORMATS = Object.entries(EXPORT_TYPES) as readonly [ExportFormat, string][];
const TYPES = Object.values(EXPORT_TYPES);

/** The parameters of the media types of tables; the first value is the default. */
const PARAMETERS = {
  headers: ['names', 'captions'],
  references: ['ids', 'keys', 'names'],
  children: ['json', 'rows'],
  values: ['exact', 'locale'],
} as const;

/**
 * The form in which the client wants a list (contract/exports.md#parameters); undefined for JSON.
 *
 * @throws PlatformError REQ_NOT_ACCEPTABLE for another value of a parameter, and for one of NDJSON
 */
export function exportFormOf(request: IncomingMessage): ExportForm | undefined {
  if (isUsualAccept(request)) return undefined;
  const chosen = acceptedType(request, ['application/json', ...TYPES]);
  const format = FORMATS.find(([, type]) => type === chosen)?.[0];
  if (format === undefined) return undefined;
  const given = parametersOf(request.headers.accept ?? '', EXPORT_TYPES[format]);
  const oneOf = <T extends string>(name: string, values: readonly [T, ...T[]]): T => {
    const text = given.get(name) ?? values[0];
    const found = values.find((value) => value === text);
    if (found !== undefined && (format !== 'ndjson' || !given.has(name))) return found;
    const allowed = format === 'ndjson' ? 'not available' : values.join(' or ');
    throw new PlatformError('REQ_NOT_ACCEPTABLE', `'${name}' of ${EXPORT_TYPES[format]} is ${allowed}`);
  };
  return {
    format,
    headers: oneOf('headers', PARAMETERS.headers),
    references: oneOf('references', PARAMETERS.references),
    children: oneOf('children', PARAMETERS.children),
    values: oneOf('values', PARAMETERS.values),
  };
}

/** The parameters of the first media range that names the type or a part of it. */
function parametersOf(accept: string, type: string): ReadonlyMap<string, string> {
  const ranges = accept.split(',').map((range) => range.split(';').map((part) => part.trim().toLowerCase()));
  const [, ...parameters] = ranges.find(([own]) => own === type) ?? [];
  return new Map(
    parameters.map((parameter) => {
      const [name = '', value = ''] = parameter.split('=');
      return [name.trim(), value.trim().replace(/^"(.*)"$/, '$1')] as const;
    }),
  );
}

/** Refuses requests for lists in a form that lists do not have. */
export const requireListAcceptable = requireAcceptable(...TYPES);

/** Checks `Accept` for all routes of the entity API: other results than lists are JSON only. */
export const requireEntitiesAcceptable =
  (entitiesPath: string): RequestCheck =>
  (request, response) => {
    const check = isList(request, entitiesPath) ? requireListAcceptable : requireJsonAcceptable;
    check(request, response);
  };

function isList({ method, path }: RoutedRequest, entitiesPath: string): boolean {
  const [, , search, ...others] = path.slice(entitiesPath.length).split('/');
  if (others.length > 0) return false;
  return search === 'search' || ((search ?? '') === '' && (method === 'GET' || method === 'HEAD'));
}

/**
 * Refuses tables in the names of an earlier version of the model: their headers have the names of the current one.
 *
 * @throws PlatformError REQ_INVALID_PARAMETER
 */
export function assertCurrentNames(exportAs: ExportForm | undefined, version: unknown): void {
  if (exportAs !== undefined && exportAs.format !== 'ndjson' && version !== undefined)
    throw new PlatformError(
      'REQ_INVALID_PARAMETER',
      `'modelVersion' is not available for ${EXPORT_TYPES[exportAs.format]}`,
    );
}
