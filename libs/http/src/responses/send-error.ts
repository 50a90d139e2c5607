import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { ERROR_CODES, isPlatformError, PlatformError } from '@lintel/errors';
import { traceOf } from '../requests/context/request-state.ts';
import { cutResponse } from './cut-response.ts';
import { acceptsProblem, helpLink, PROBLEM_TYPE, problemOf } from './problem-details.ts';

/** Descriptions of contract/tokens.md#unauthorized; the only ones a 401 of the API ever has. */
export const DESCRIPTION_UNAUTHORIZED = 'Full authentication is required to access this resource';
export const DESCRIPTION_INVALID = 'Invalid access token';
export const DESCRIPTION_EXPIRED = 'Access token expired';

/**
 * The error that the client receives: ours unchanged, errors of the framework about the request as 400, others as 500.
 */
export function toPlatformError(error: unknown): PlatformError {
  if (isPlatformError(error)) return error;
  const status = statusOf(error);
  if (status === 413) return new PlatformError('REQ_BODY_TOO_LARGE', '', { cause: error });
  if (status === 415) return new PlatformError('REQ_UNSUPPORTED_MEDIA_TYPE', '', { cause: error });
  // Express decodes path parameters itself; an invalid percent escape is an error of the client.
  if (error instanceof URIError || status === 400)
    return new PlatformError('REQ_INVALID_PARAMETER', 'The request path or body cannot be decoded', { cause: error });
  return new PlatformError('INTERNAL_ERROR', '', { cause: error });
}

function statusOf(error: unknown): number | undefined {
  return typeof error === 'object' && error !== null && 'status' in error && typeof error.status === 'number'
    ? error.status
    : undefined;
}

/**
 * `Retry-After` of a 503 (RFC 9110 §10.2.3): an outage ends within seconds, or lasts until an operator acts.
 */
const RETRY_AFTER_SECONDS = '1';

/**
 * Ends the response with an error: `{error, details}`, the bare array of a validation failure, an empty body if the
 * contract requires it, the OAuth form for 401 and for token endpoints; outside of token endpoints the form of RFC 9457
 * if `Accept` names it. The header `X-Error-Code` has the code in each form. If the head is already sent, the
 * response is cut.
 */
export function sendError(response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    cutResponse(response);
    return;
  }
  const platform = toPlatformError(error);
  for (const name of response.getHeaderNames())
    if (/^(content-|etag$|last-modified$|location$)/.test(name)) response.removeHeader(name);
  for (const [name, value] of Object.entries(platform.headers)) response.setHeader(name, value);
  if (platform.status === 503 && !response.hasHeader('Retry-After'))
    response.setHeader('Retry-After', RETRY_AFTER_SECONDS);
  const trace = traceOf(response);
  if (trace !== undefined) response.setHeader('X-Trace-Id', trace.traceId);
  response.setHeader('X-Error-Code', platform.code);
  response.statusCode = platform.status;
  const isUnauthorized = UNAUTHORIZED.has(platform.code);
  if (isUnauthorized) setChallenge(response, platform);
  const { headers, originalUrl, url = '' } = requestOf(response);
  if (acceptsProblem(headers?.accept) && !isOAuthPath(response)) {
    response.appendHeader('Link', helpLink(originalUrl ?? url, platform.code));
    const details = isUnauthorized ? descriptionOf(platform) : detailsOf(platform);
    sendJsonText(response, JSON.stringify(problemOf(platform, details, trace?.traceId)), PROBLEM_TYPE);
    return;
  }
  if (platform.emptyBody) {
    response.setHeader('Content-Length', 0);
    response.end();
    return;
  }
  sendJsonText(response, JSON.stringify(bodyOf(response, platform)));
}

/** Responses with the challenge and the body of OAuth. */
const UNAUTHORIZED: ReadonlySet<string> = new Set(['AUTH_UNAUTHORIZED', 'AUTH_INVALID_TOKEN', 'AUTH_STEP_UP_REQUIRED']);

function bodyOf(response: ServerResponse, error: PlatformError): unknown {
  if (error.items !== undefined) return error.items;
  if (UNAUTHORIZED.has(error.code)) return { error: error.error, error_description: descriptionOf(error) };
  if (error.code === 'ACCESS_SCOPE_DENIED') return { error: error.error, error_description: error.details };
  const details = detailsOf(error);
  if (isOAuthPath(response)) return oauthBody(error, details);
  return { error: error.error, details };
}

/** The description of a 401 (contract/tokens.md#unauthorized). */
function descriptionOf({ code, details }: PlatformError): string {
  if (details !== '') return details;
  return code === 'AUTH_UNAUTHORIZED' ? DESCRIPTION_UNAUTHORIZED : DESCRIPTION_INVALID;
}

/** Sets the headers of a 401 (RFC 6750 §3). */
function setChallenge(response: ServerResponse, error: PlatformError): void {
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Pragma', 'no-cache');
  if (!response.hasHeader('WWW-Authenticate')) response.setHeader('WWW-Authenticate', challengeOf(error));
}

/** The challenge of a 401 (contract/tokens.md#unauthorized). */
export const challengeOf = (error: PlatformError): string =>
  `Bearer realm="oauth2-resource", error="${error.error}", error_description="${descriptionOf(error)}"`;

/** A 500 that is a defect of the platform has no details; the log has the cause with the same trace id. */
const detailsOf = (error: PlatformError): string =>
  error.error === ERROR_CODES.INTERNAL_ERROR.error ? '' : error.details;

const oauthBody = (error: PlatformError, details: string) => ({
  error:
    error.status === 503 || error.status === 429
      ? 'temporarily_unavailable'
      : error.status >= 500
        ? 'server_error'
        : 'invalid_request',
  error_description: details === '' ? error.error : details,
});

/** What tests use as a response may have no request. */
const requestOf = (response: ServerResponse): { originalUrl?: string; url?: string; headers?: IncomingHttpHeaders } =>
  (response as { req?: { originalUrl?: string; url?: string; headers?: IncomingHttpHeaders } }).req ?? {};

/** Errors of token endpoints have the OAuth form (contract/conventions.md#general-rules). */
function isOAuthPath(response: ServerResponse): boolean {
  const { originalUrl, url } = requestOf(response);
  return /^\/oauth2?\//.test(originalUrl ?? url ?? '');
}

/** Ends the response with JSON text; the type is exactly `application/json` (contract/conventions.md#endpoints). */
export function sendJsonText(response: ServerResponse, text: string, type = 'application/json'): void {
  response.setHeader('Content-Type', type);
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}

/** Ends the response with plain text. */
export function sendText(response: ServerResponse, text: string): void {
  response.setHeader('Content-Type', 'text/plain;charset=UTF-8');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}

/** Ends the response with a value as JSON. */
export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.statusCode = status;
  sendJsonText(response, JSON.stringify(value));
}
