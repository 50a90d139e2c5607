import { toPlatformError } from '@lintel/http';
import type { Logger } from '@lintel/telemetry';
import type { Response } from 'express';
import { SCHEMA_URIS } from './protocol/schema-uris.ts';
import { ScimFailure } from './protocol/scim-failure.ts';

/** The media type of requests and responses (RFC 7644 §3.1). */
export const CONTENT_TYPE = 'application/scim+json';

/** Sends a body as JSON of SCIM. */
export function sendScim(response: Response, status: number, body: object): void {
  const text = JSON.stringify(body);
  response.statusCode = status;
  response.setHeader('Content-Type', CONTENT_TYPE);
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}

/** Sends 204. */
export function sendNothing(response: Response): void {
  response.statusCode = 204;
  response.end();
}

/** Sends an error in the form of SCIM; errors of the service are logged. */
export function sendFailure(response: Response, error: unknown, logger: Logger): void {
  const { status, scimType, detail, headers } =
    error instanceof ScimFailure ? ofScim(error) : ofPlatform(error, logger);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  sendScim(response, status, { schemas: [SCHEMA_URIS.error], status: String(status), scimType, detail });
}

/** The parts of an error response (RFC 7644 §3.12). */
interface FailureParts {
  readonly status: number;
  readonly scimType?: string | undefined;
  readonly detail: string;
  readonly headers: Readonly<Record<string, string>>;
}

function ofScim({ status, scimType, message: detail }: ScimFailure): FailureParts {
  const headers = {
    ...(status === 401 && { 'WWW-Authenticate': 'Bearer realm="scim"' }),
    ...(status === 429 && { 'Retry-After': '60' }),
  };
  return { status, scimType, detail, headers };
}

function ofPlatform(error: unknown, logger: Logger): FailureParts {
  const { status, code, message, cause, headers, retryable } = toPlatformError(error);
  if (status >= 500) logger.error({ code, error: cause ?? error }, message);
  return {
    status,
    detail: status >= 500 ? 'The request cannot be served now' : message,
    headers: { ...(retryable && { 'Retry-After': '5' }), ...headers },
  };
}
