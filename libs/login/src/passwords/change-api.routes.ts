import type { SessionStore } from '@lintel/cache';
import { PlatformError, type ValidationItem, validationError } from '@lintel/errors';
import { clientAddressOf, forbidCaching, type ProofCheck, presentedToken, receiveJson, sendError } from '@lintel/http';
import type { Request, Response, Router } from 'express';
import { z } from 'zod';
import { RETRY_AFTER_FAILURES } from '../credentials/check-credentials.ts';
import type { TokenDirectory } from '../login-ports.ts';
import { pageContextOf } from '../pages/send-page.ts';
import type { PasswordChanges, PasswordRefusal } from './change-password.ts';

/** Where a user with a token changes the own password. */
export const PASSWORD_API_PATH = '/oauth2/password';

const text = z.string().max(4_096);
const bodySchema = z.strictObject({
  currentPassword: text,
  newPassword: text,
  /** Whether the other logins of the user end. */
  endOtherSessions: z.boolean().default(true),
});

export interface ChangeApiDeps {
  readonly changes: PasswordChanges;
  readonly tokens: TokenDirectory;
  readonly sessions: Pick<SessionStore, 'load'>;
  readonly proofs: ProofCheck;
}

/** `POST /oauth2/password` (contract/tokens.md#own-password). */
export function registerChangeApi(router: Router, deps: ChangeApiDeps): void {
  router.post(PASSWORD_API_PATH, (request, response) => change(request, response, deps));
}

async function change(request: Request, response: Response, deps: ChangeApiDeps): Promise<void> {
  forbidCaching(response);
  const presented = presentedToken(request.headers.authorization);
  if (presented === undefined) return refuse(request, response, new PlatformError('AUTH_UNAUTHORIZED'));
  const token = await deps.tokens.find(presented.token, 'access_token');
  const session = token?.sessionId === undefined ? undefined : await deps.sessions.load(token.sessionId);
  if (token === undefined || !token.isValid || token.kind === 'refresh' || session === undefined)
    return refuse(request, response, new PlatformError('AUTH_INVALID_TOKEN'));
  await deps.proofs.assertPresented(request, presented, token.thumbprint);
  if (session.kind !== 'user')
    return refuse(request, response, new PlatformError('ACCESS_DENIED', 'The token is of a client, not of a user'));
  const { currentPassword, newPassword, endOtherSessions } = await receiveJson(request, bodySchema);
  const result = await deps.changes.change({
    username: session.username,
    current: currentPassword,
    next: newPassword,
    address: clientAddressOf(request),
    clientId: token.clientId,
    kept: endOtherSessions ? { sessionId: session.id } : 'all',
  });
  if (result.kind === 'changed') response.status(204).end();
  else throw errorOf(request, result);
}

function refuse(request: Request, response: Response, error: PlatformError): void {
  request.resume();
  sendError(response, error);
}

function errorOf(request: Request, result: PasswordRefusal): PlatformError {
  const { passwords: texts, login } = pageContextOf(request).texts;
  if (result.kind === 'weak') return validationError([item('newPassword', texts.problems[result.weakness])]);
  if (result.kind !== 'refused') return validationError([item('currentPassword', texts.problems.elsewhere)]);
  const { refusal } = result;
  if (refusal === 'locked' || refusal === 'too-many')
    return new PlatformError('REQ_TOO_MANY_REQUESTS', login.refusals[refusal], {
      headers: { 'Retry-After': RETRY_AFTER_FAILURES },
    });
  return validationError([item('currentPassword', login.refusals[refusal])]);
}

const item = (path: string, message: string): ValidationItem => ({
  message,
  messageTemplate: message,
  path,
  invalidValue: null,
});
