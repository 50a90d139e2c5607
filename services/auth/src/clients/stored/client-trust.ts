import type { Administrator } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import type { ClientMetadata } from './client-metadata.ts';

/** Members that decide where codes and tokens of users go, and who gets them without a question. */
const DANGEROUS = [
  'authenticationMethods',
  'grantTypes',
  'redirectUris',
  'postLogoutRedirectUris',
  'backchannelLogoutUri',
  'requiredAcr',
  'requireAuthorizationConsent',
  'jwks',
] as const satisfies readonly (keyof ClientMetadata)[];

const USER_GRANTS: readonly string[] = ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code'];

/** Whether users are logged in to the client without a question. */
export const isFirstParty = ({ requireAuthorizationConsent, grantTypes }: ClientMetadata): boolean =>
  !requireAuthorizationConsent && grantTypes.some((grant) => USER_GRANTS.includes(grant));

/** The dangerous members that a change of a client changes; all of them if its stored form is not valid any more. */
export const dangerousChanges = (before: ClientMetadata | undefined, after: ClientMetadata): readonly string[] =>
  DANGEROUS.filter((member) => JSON.stringify(before?.[member]) !== JSON.stringify(after[member]));

/**
 * Asserts that the caller may change what is dangerous about a client.
 *
 * @throws PlatformError ACCESS_DENIED naming the client
 */
export function assertMayEndanger(clientId: string, client: ClientMetadata | undefined, caller: Administrator): void {
  if (caller.isUnlimited) return;
  const changes = 'only callers with full access change its secrets, addresses, grants and trust, or remove it';
  if (!caller.coversMaker)
    throw new PlatformError('ACCESS_DENIED', `The client ${clientId} was made by a user with more rights: ${changes}`);
  if (client === undefined || isFirstParty(client))
    throw new PlatformError('ACCESS_DENIED', `The client ${clientId} needs no consent of its users: ${changes}`);
}

/**
 * Asserts that the caller may make a client that needs no consent, and that the client has not registered itself.
 *
 * @throws PlatformError ACCESS_DENIED, REQ_INVALID_PARAMETER
 */
export function assertMayTrust(
  clientId: string,
  {
    isRegistered,
    before,
    after,
  }: { isRegistered: boolean; before?: ClientMetadata | undefined; after: ClientMetadata },
  caller: Administrator,
): void {
  const isNew = !after.requireAuthorizationConsent && before?.requireAuthorizationConsent !== false;
  if (isNew && isRegistered)
    throw new PlatformError(
      'REQ_INVALID_PARAMETER',
      `requireAuthorizationConsent: must be true, since ${clientId} has registered itself`,
    );
  const becomesFirstParty = isFirstParty(after) && (before === undefined || !isFirstParty(before));
  if ((isNew || becomesFirstParty) && !caller.isUnlimited)
    throw new PlatformError(
      'ACCESS_DENIED',
      `requireAuthorizationConsent: only callers with full access make ${clientId} a client that needs no consent`,
    );
}
