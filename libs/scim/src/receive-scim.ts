import { scanJson } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { clientAddressOf, hasBearerSecret, readBody } from '@lintel/http';
import type { Logger, SecurityLog } from '@lintel/telemetry';
import type { Request, RequestHandler, Response } from 'express';
import { badRequest, ScimFailure } from './protocol/scim-failure.ts';
import { CONTENT_TYPE, sendFailure } from './send-scim.ts';

const ACCEPTED_TYPE = /^application\/(?:scim\+)?json\s*(?:;|$)/i;

/** The members of one request need about 600 KB. */
const MAX_BODY_BYTES = 1024 * 1024;
/** Members of groups in the operations of a PATCH have six. */
const MAX_LEVELS = 20;
/** 5,000 members with all their attributes have 25,000. */
const MAX_VALUES = 40_000;

/** Compares the token unless there were too many wrong ones; returns the outcome, or why it was not compared. */
export type GuardToken = (
  address: string,
  isRight: () => boolean,
) => Promise<'right' | 'wrong' | { readonly refusal: string }>;

export interface ScimExchangeDeps {
  /** The tokens of the configuration. */
  readonly tokens: readonly string[];
  readonly guardToken: GuardToken;
  readonly security: SecurityLog;
  readonly logger: Logger;
}

/** Handles one request: checks the token first, and reports failures in the form of SCIM. */
export type ServeScim = (work: (request: Request, response: Response) => Promise<void> | void) => RequestHandler;

export const createScimExchange =
  (deps: ScimExchangeDeps): ServeScim =>
  (work) =>
  async (request, response) => {
    response.setHeader('Cache-Control', 'no-store');
    try {
      await authenticate(request, deps);
      await work(request, response);
    } catch (error) {
      request.resume();
      sendFailure(response, error, deps.logger);
    }
  };

async function authenticate(request: Request, { tokens, guardToken, security }: ScimExchangeDeps): Promise<void> {
  const { authorization } = request.headers;
  const address = clientAddressOf(request);
  if (authorization === undefined) throw new ScimFailure(401, 'The token is missing');
  // Each token is compared, whether the one before was right or not.
  const result = await guardToken(address, () =>
    tokens.map((token) => hasBearerSecret(authorization, token)).includes(true),
  );
  if (result === 'right') return;
  security.record('provisioning.refused', { address, reason: result === 'wrong' ? 'wrong token' : result.refusal });
  if (result === 'wrong') throw new ScimFailure(401, 'The token is wrong');
  throw new ScimFailure(429, 'There were too many requests with a wrong token');
}

/** @throws ScimFailure invalidSyntax, PlatformError for a body that is too large or of another type */
export async function readScimBody(request: Request): Promise<unknown> {
  if (!ACCEPTED_TYPE.test(request.headers['content-type'] ?? ''))
    throw new PlatformError('REQ_UNSUPPORTED_MEDIA_TYPE', `Content-Type: expected ${CONTENT_TYPE}`);
  const bytes = await readBody(request, MAX_BODY_BYTES);
  const { depth, values } = scanJson(bytes.toString('latin1'), MAX_LEVELS);
  if (depth > MAX_LEVELS) throw badRequest('invalidSyntax', `The body has more than ${MAX_LEVELS} levels`);
  if (values > MAX_VALUES) throw badRequest('invalidSyntax', `The body has more than ${MAX_VALUES} values`);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch {
    throw badRequest('invalidSyntax', 'The body is not JSON in UTF-8');
  }
}
