import type Provider from 'oidc-provider';
import { hashToken } from '../../hash-token.ts';
import {
  authorizationPending,
  deviceRefused,
  expiredDeviceCode,
  invalidGrant,
  slowDown,
} from '../../tokens/oauth/refusals.ts';
import { userTokenBody } from '../../tokens/token-response.ts';
import { ConsumedError } from '../storage/model-names.ts';
import { openLogin } from './open-login.ts';
import type { GrantRequest, TokenGrant, TokenGrantDeps } from './token-grant-deps.ts';

/** Minimum time between two requests of a client that waits (RFC 8628 §3.5), less the jitter of its clock. */
const MIN_POLL_MS = 4_500;

type AnyDeviceCode = InstanceType<Provider['DeviceCode']>;
/** A device code that the user has confirmed. */
type ConfirmedCode = AnyDeviceCode & { readonly accountId: string; readonly grantId: string };

/**
 * Exchanges the code of a device for tokens and a new session, after its user has confirmed it (RFC 8628 §3.4). A code
 * can be used once: a second use ends all tokens and sessions that were issued for it.
 */
export const deviceCodeGrant: TokenGrant = async (request, deps) => {
  const code = await usableCode(request, deps);
  const tokens = await openLogin(request, deps, {
    gty: 'device_code',
    accountId: code.accountId,
    grantId: code.grantId,
    scope: code.scope,
    authTime: code.authTime,
    acr: code.acr,
    amr: code.amr,
    sid: code.sid,
  });
  return userTokenBody(tokens, deps.clock.now());
};

const isConfirmed = (code: AnyDeviceCode): code is ConfirmedCode =>
  code.accountId !== undefined && code.grantId !== undefined;

/** @throws OAuthFailure for a code that is unknown, used, expired, of another client, refused, or not confirmed yet */
async function usableCode(request: GrantRequest, deps: TokenGrantDeps): Promise<ConfirmedCode> {
  const { client, param } = request;
  const value = param('device_code') ?? '';
  const code = await deps.provider.DeviceCode.find(value, { ignoreExpiration: true });
  if (code === undefined || code.clientId !== client.clientId) throw invalidGrant();
  if (code.consumed) {
    await endReused(code, request, deps);
    throw invalidGrant();
  }
  if (code.isExpired) throw expiredDeviceCode();
  if (code.error !== undefined) throw deviceRefused();
  if (!isConfirmed(code)) {
    const polls = await deps.keyValues.increment(`device-code:polls:${hashToken(value)}`, MIN_POLL_MS);
    throw polls > 1 ? slowDown() : authorizationPending();
  }
  try {
    await code.consume();
  } catch (error) {
    // An outage of the store is not a second use of the code.
    if (!(error instanceof ConsumedError)) throw error;
    await endReused(code, request, deps);
    throw invalidGrant();
  }
  return code;
}

async function endReused(
  { accountId: username, grantId }: AnyDeviceCode,
  { client, address }: GrantRequest,
  { security, sessions }: TokenGrantDeps,
): Promise<void> {
  security.record('device-code.reused', {
    ...(username === undefined ? {} : { username }),
    clientId: client.clientId,
    address,
  });
  if (grantId !== undefined) await sessions.endGrant(grantId);
}
