import { firstRowOf, hasRoles, hasRows, isIntegrityViolation, noteWork, type StoredAccount } from '@lintel/persistence';
import { userNameProblem } from '@lintel/security';
import type { FederatedSessions, FederationPorts } from '../federation-ports.ts';
import type { IdentityRules } from '../identity/identity-settings.ts';
import { type MappedIdentity, mapIdentity, type RefusedIdentity, refusedIdentity } from '../identity/map-identity.ts';
import type { Claims } from '../identity/read-claim.ts';

/** A subject that a provider has authenticated. */
export interface FederatedSubject {
  /** Name of the provider in the configuration; marks the assignments that it makes. */
  readonly provider: string;
  readonly issuer: string;
  readonly subject: string;
  readonly claims: Claims;
  readonly rules: IdentityRules;
}

export type FederatedVerdict = { readonly kind: 'accepted'; readonly account: StoredAccount } | RefusedIdentity;

/** Finds, links or creates the user of a subject, and gives it the roles of its groups. */
export interface FederatedUsers {
  signIn(subject: FederatedSubject): Promise<FederatedVerdict>;
}

export interface FederatedUsersDeps
  extends Pick<FederationPorts, 'database' | 'accounts' | 'security' | 'logger' | 'ids'> {
  readonly sessions: Pick<FederatedSessions, 'follow'>;
}

const FIND = `SELECT u.username FROM auth.federated_user AS f JOIN sec."user" AS u ON u.id = f.user_id
WHERE f.issuer = $1 AND f.subject = $2`;

/** A link to a user that was removed is replaced; one to a user that exists stays. */
const LINK = `INSERT INTO auth.federated_user (issuer, subject, user_id, provider) VALUES ($1, $2, $3, $4)
ON CONFLICT (issuer, subject) DO UPDATE SET user_id = excluded.user_id, provider = excluded.provider, created_at = now()
WHERE NOT EXISTS (SELECT FROM sec."user" AS u WHERE u.id = federated_user.user_id)
RETURNING subject`;

export function createFederatedUsers(deps: FederatedUsersDeps): FederatedUsers {
  const { database, accounts, sessions, security } = deps;

  async function find({ issuer, subject }: FederatedSubject): Promise<StoredAccount | undefined> {
    const values = [issuer, subject];
    const row = await firstRowOf<{ readonly username: string }>(database, 'auth_federated_user', FIND, values);
    return row === undefined ? undefined : accounts.find(row.username);
  }

  async function begin(subject: FederatedSubject, mapped: MappedIdentity): Promise<FederatedVerdict> {
    const { username } = mapped;
    if (username === undefined) return refusedIdentity(mapped.nameProblem ?? 'no-user-claim');
    const [name, ...others] = await accounts.namesLike(username);
    if (others.length > 0) return refusedIdentity('ambiguous-name');
    const known = name === undefined ? undefined : await accounts.find(name);
    const wanted = known === undefined ? 'create' : 'link';
    if (!subject.rules['first-login'].includes(wanted))
      return refusedIdentity(known === undefined ? 'unknown-user' : 'known-user');
    if (known?.isActive === false) return refusedIdentity('disabled', known.username);
    if (known === undefined && userNameProblem(username) !== undefined) return refusedIdentity('invalid-name');
    if (known === undefined && hasRoles(await accounts.rolesOf(username))) return refusedIdentity('roles-left');
    const isDone =
      known === undefined ? await create(subject, mapped, username, deps) : await link(subject, known.id, deps);
    // Another request has linked the subject meanwhile, the user belongs to another subject, or a client has the name.
    const account = await find(subject);
    if (account === undefined && isDone === 'failed') return refusedIdentity('user-not-created');
    if (account === undefined) return refusedIdentity(known === undefined ? 'name-taken' : 'linked-to-another');
    if (isDone === 'done')
      security.record(wanted === 'create' ? 'federation.user-created' : 'federation.user-linked', {
        username: account.username,
        provider: subject.provider,
      });
    return { kind: 'accepted', account };
  }

  async function followRoles(
    { provider }: FederatedSubject,
    mapped: MappedIdentity,
    account: StoredAccount,
  ): Promise<boolean> {
    const { resourceRoles, rowLevelRoles } = mapped;
    const [row] = await database.transaction(async (transaction) => {
      await noteWork(transaction, `provider:${provider}`);
      return transaction.query<{ readonly changed: readonly string[] }>({
        text: 'SELECT sec.follow_federated_roles($1, $2, $3::text[], $4::text[]) AS changed',
        values: [account.username, `provider:${provider}`, resourceRoles, rowLevelRoles],
      });
    });
    const amount = row?.changed.length ?? 0;
    if (amount === 0) return false;
    security.record('federation.roles-changed', { username: account.username, provider, amount });
    await sessions.follow(account.username);
    return true;
  }

  return {
    async signIn(subject) {
      const mapped = mapIdentity(subject.claims, subject.rules);
      const linked = await find(subject);
      if (mapped.kind === 'refused') return refusedIdentity(mapped.reason, linked?.username);
      const begun: FederatedVerdict =
        linked === undefined ? await begin(subject, mapped) : { kind: 'accepted', account: linked };
      // What was refused can be the work of another request of the same subject: its user, or the roles of it.
      const account = begun.kind === 'accepted' ? begun.account : await find(subject);
      if (account === undefined) return begun;
      if (!account.isActive) return refusedIdentity('disabled', account.username);
      if (!(await followRoles(subject, mapped, account))) return { kind: 'accepted', account };
      const now = await accounts.find(account.username);
      return now === undefined ? refusedIdentity('unknown-user') : { kind: 'accepted', account: now };
    },
  };
}

type Outcome = 'done' | 'taken' | 'failed';

async function link(
  { issuer, subject, provider }: FederatedSubject,
  userId: string,
  { database }: Pick<FederatedUsersDeps, 'database'>,
): Promise<Outcome> {
  try {
    const isLinked = await hasRows(database, 'auth_link_user', LINK, [issuer, subject, userId, provider]);
    return isLinked ? 'done' : 'taken';
  } catch (error) {
    if (isIntegrityViolation(error)) return 'taken';
    throw error;
  }
}

/** Creates and links a user in one transaction. */
async function create(
  { issuer, subject, provider }: FederatedSubject,
  { firstName, lastName, email, locale }: MappedIdentity,
  username: string,
  { database, ids, logger }: FederatedUsersDeps,
): Promise<Outcome> {
  const id = ids.next();
  try {
    return await database.transaction(async (transaction) => {
      await noteWork(transaction, `provider:${provider}`);
      const [row] = await transaction.query<{ readonly created: boolean }>({
        text: 'SELECT sec.create_federated_user($1, $2, $3, $4, $5, $6, $7) AS created',
        values: [id, username, firstName, lastName, email, locale, `provider:${provider}`],
      });
      if (row?.created !== true) return 'taken';
      await transaction.query({ text: LINK, values: [issuer, subject, id, provider] });
      return 'done';
    });
  } catch (error) {
    if (!isIntegrityViolation(error)) throw error;
    // A mandatory column of the application without a default, or a constraint of it.
    logger.error({ error, provider }, 'the user of a provider could not be created');
    return 'failed';
  }
}
