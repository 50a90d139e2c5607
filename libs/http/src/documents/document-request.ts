import { PlatformError } from '@lintel/errors';

/** Versions of OpenAPI in which documents are served, the default first. */
export const OPENAPI_VERSIONS = ['3.1', '3.0'] as const;
export type OpenApiVersion = (typeof OPENAPI_VERSIONS)[number];

/** What a request for a document wants (contract/api-documents.md#parameters). */
export interface DocumentRequest {
  readonly openapi: OpenApiVersion;
  /** Only what the caller may call, read and write. */
  readonly isForCaller: boolean;
}

/**
 * Reads the parameters `openapi` and `for`.
 *
 * @param query the parameters of the URL; an array if one is given twice
 * @throws PlatformError REQ_INVALID_PARAMETER naming the parameter
 */
export function readDocumentRequest(query: Readonly<Record<string, unknown>>): DocumentRequest {
  const { openapi = OPENAPI_VERSIONS[0], for: whom } = query;
  const version = OPENAPI_VERSIONS.find((each) => each === openapi);
  if (version === undefined) throw invalid('openapi', OPENAPI_VERSIONS.join(' or '));
  if (whom !== undefined && whom !== 'me') throw invalid('for', '`me`');
  return { openapi: version, isForCaller: whom === 'me' };
}

const invalid = (name: string, what: string): PlatformError =>
  new PlatformError('REQ_INVALID_PARAMETER', `Parameter '${name}' must be ${what}`);
