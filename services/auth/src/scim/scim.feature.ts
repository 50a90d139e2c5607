import type { AttemptGuard } from '@lintel/login';
import { createScim, type Scim } from '@lintel/scim';
import type { SecurityLog } from '@lintel/telemetry';
import { assertMayExecute } from '../accounts/assert-may-execute.ts';
import type { AuthConfig } from '../config.ts';
import type { FeatureFactory } from '../feature.ts';
import type { AuthPorts } from '../ports.ts';
import { type FollowUserDeps, followUser } from '../sessions/follow-changes.ts';

export interface ScimFeatureDeps extends FollowUserDeps {
  readonly ports: AuthPorts;
  readonly config: AuthConfig;
  readonly security: SecurityLog;
  readonly guard: AttemptGuard;
}

/** Users of one request whose sessions are updated before the response. */
const MAX_FOLLOWED = 100;
/** Clients have no such name. */
const GUARDED_NAME = '\0scim';

/**
 * Provisioning of users by an identity provider.
 *
 * @returns undefined without `svc.scim.token`
 * @throws ConfigurationError if the login of the database may not create users
 */
export async function createScimFeature(given: ScimFeatureDeps): Promise<Scim | undefined> {
  const { ports, config, security, guard } = given;
  if (config.scim.token === undefined) return undefined;
  await assertMayExecute(
    ports.database,
    'sec.change_provisioned_user(uuid, jsonb, text)',
    'svc.scim.token: the login of auth must be in the role lintel_federation, which may create and change users',
  );
  return createScim(config.scim, {
    ...ports,
    security,
    async guardToken(address, isRight) {
      const result = await guard.run({ name: GUARDED_NAME, address }, async () => {
        const kind: 'right' | 'wrong' = isRight() ? 'right' : 'wrong';
        return { kind, value: kind };
      });
      return result.kind === 'made' ? result.value : { refusal: result.refusal };
    },
    async followSessions(usernames) {
      for (const username of [...new Set(usernames)].slice(0, MAX_FOLLOWED)) await followUser(username, given);
    },
    issuer: config.platform.issuer,
    availableLocales: config.availableLocales,
  });
}

/** Routes of the provisioning, where it is switched on. */
export const scimFeature: FeatureFactory<'scim'> = ({ scim }) =>
  scim === undefined ? {} : { register: ({ open }) => scim.register(open), start: scim.followConfiguration };
