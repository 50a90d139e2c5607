import { ANONYMOUS } from '@lintel/contracts';
import { userNameKey } from '@lintel/security';
import type { IdentityRules } from './identity-settings.ts';
import { type Claims, readClaim, textsOf } from './read-claim.ts';

/** A subject of a provider as Lintel sees it: the facts of its user, and the roles of its groups. */
export interface MappedIdentity {
  readonly kind: 'mapped';
  /** Name of the user at the first login; undefined if the claims have none that is possible. */
  readonly username: string | undefined;
  /** Why there is no name. */
  readonly nameProblem?: Extract<IdentityRefusal, 'no-user-claim' | 'email-not-verified'>;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly email: string | null;
  readonly locale: string | null;
  readonly resourceRoles: readonly string[];
  readonly rowLevelRoles: readonly string[];
}

/** Why a subject is refused. */
export type IdentityRefusal =
  | 'required-claim'
  | 'domain'
  | 'email-not-verified'
  | 'groups-missing'
  | 'groups-not-listed'
  | 'no-user-claim'
  | 'unknown-user'
  | 'known-user'
  | 'roles-left'
  | 'ambiguous-name'
  | 'invalid-name'
  | 'name-taken'
  | 'linked-to-another'
  | 'user-not-created'
  | 'disabled';

export interface RefusedIdentity {
  readonly kind: 'refused';
  readonly reason: IdentityRefusal;
  /** The user of the subject, if there is one. */
  readonly username?: string | undefined;
}

export const refusedIdentity = (reason: IdentityRefusal, username?: string): RefusedIdentity => ({
  kind: 'refused',
  reason,
  ...(username !== undefined && { username }),
});

const MAX_TEXT = 255;
const MAX_LOCALE = 20;
/** Users that never log in. */
const BUILT_IN: ReadonlySet<string> = new Set(['system', ANONYMOUS]);
const EVERYBODY = '*';
/** The claim that only the claim `email_verified` makes one of the person (OpenID Connect Core 5.7). */
const EMAIL = 'email';

/** Applies the rules of a provider to the claims of a subject. Reads and changes nothing else. */
export function mapIdentity(claims: Claims, rules: IdentityRules): MappedIdentity | RefusedIdentity {
  if (!rules['required-claims'].every((item) => hasClaim(claims, item))) return refusedIdentity('required-claim');
  const email = shortText(claims[EMAIL], MAX_TEXT);
  if (rules.domains.length > 0) {
    if (!isInDomain(email, rules.domains)) return refusedIdentity('domain');
    if (!isVerified(claims['email_verified'])) return refusedIdentity('email-not-verified');
  }
  const groups = textsOf(readClaim(claims, rules['groups-claim']));
  // Entra ID leaves the groups out if there are many, and names a URL instead.
  if (groups === undefined && isElsewhere(claims, rules['groups-claim'])) return refusedIdentity('groups-not-listed');
  // A row-level role hides rows: without the groups, a user could see more, not less.
  if (groups === undefined && rules['row-level-roles'].some((item) => groupOf(item) !== EVERYBODY))
    return refusedIdentity('groups-missing');
  const isIn = new Set([EVERYBODY, ...(groups ?? []).filter((group) => group !== EVERYBODY)]);
  const rolesOf = (table: readonly string[]) => [
    ...new Set(table.filter((item) => isIn.has(groupOf(item))).map(afterEqualSign)),
  ];
  return {
    kind: 'mapped',
    ...nameOf(claims, rules['user-claim']),
    firstName: shortText(claims['given_name'], MAX_TEXT),
    lastName: shortText(claims['family_name'], MAX_TEXT),
    // Links for a new password and rights by an address must not follow one that the person has only entered.
    email: isRefuted(claims['email_verified']) ? null : email,
    locale: shortText(claims['locale'], MAX_LOCALE)?.replaceAll('-', '_') ?? null,
    resourceRoles: rolesOf(rules['resource-roles']),
    rowLevelRoles: rolesOf(rules['row-level-roles']),
  };
}

/** The text before the last equals sign: names of groups may contain some, codes of roles do not. */
const groupOf = (item: string): string => item.slice(0, item.lastIndexOf('=')).trim();
const afterEqualSign = (item: string): string => item.slice(item.lastIndexOf('=') + 1).trim();

function hasClaim(claims: Claims, item: string): boolean {
  const value = readClaim(claims, groupOf(item));
  const wanted = afterEqualSign(item);
  if (typeof value === 'boolean' || typeof value === 'number') return String(value) === wanted;
  return textsOf(value)?.includes(wanted) === true;
}

/** A person who enters the address of another one at a provider must not become that one here. */
function nameOf(claims: Claims, claim: string): Pick<MappedIdentity, 'username' | 'nameProblem'> {
  const username = usernameOf(readClaim(claims, claim));
  if (username === undefined) return { username, nameProblem: 'no-user-claim' };
  if (claim === EMAIL && !isVerified(claims['email_verified']))
    return { username: undefined, nameProblem: 'email-not-verified' };
  return { username };
}

function usernameOf(value: unknown): string | undefined {
  const text = shortText(value, MAX_TEXT);
  return text === null || BUILT_IN.has(userNameKey(text)) || text !== text.trim() ? undefined : text;
}

/** Null for a value that no column can store. */
function shortText(value: unknown, maxLength: number): string | null {
  if (typeof value !== 'string' || value === '' || value.length > maxLength) return null;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: names with control characters are refused
  return value.isWellFormed() && !/[\u0000-\u001f\u007f]/.test(value) ? value : null;
}

function isInDomain(email: string | null, domains: readonly string[]): boolean {
  const at = email?.lastIndexOf('@') ?? -1;
  return at > 0 && domains.some((domain) => domain.toLowerCase() === email?.slice(at + 1).toLowerCase());
}

const isVerified = (value: unknown): boolean => value === true || value === 'true';
const isRefuted = (value: unknown): boolean => value === false || value === 'false';

/** Whether the token says that another request returns the claim (OpenID Connect Core 5.6.2). */
function isElsewhere(claims: Claims, name: string): boolean {
  const names = claims['_claim_names'];
  return (typeof names === 'object' && names !== null && name in names) || claims['hasgroups'] === true;
}
