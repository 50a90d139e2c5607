import type { Account } from '../../accounts/account.ts';

/** Path of the claims about the user of a token (UserInfo of OpenID Connect). */
export const USERINFO_PATH = '/oauth2/userinfo';

/** Claims by scope of OpenID Connect. */
export const CLAIMS_OF_SCOPES = {
  openid: ['sub'],
  profile: ['preferred_username', 'name', 'given_name', 'family_name', 'locale'],
  email: ['email'],
} as const;

/** The claims about a user that scopes allow; those without a value are absent. */
export function userClaims(account: Account, scopes: readonly string[]): Readonly<Record<string, string>> {
  const claims = claimsOf(account);
  const named = scopes.flatMap((scope) => (isStandard(scope) ? CLAIMS_OF_SCOPES[scope] : []));
  return Object.fromEntries(named.flatMap((name) => (claims[name] === undefined ? [] : [[name, claims[name]]])));
}

const isStandard = (scope: string): scope is keyof typeof CLAIMS_OF_SCOPES => Object.hasOwn(CLAIMS_OF_SCOPES, scope);

type ClaimName = (typeof CLAIMS_OF_SCOPES)[keyof typeof CLAIMS_OF_SCOPES][number];

function claimsOf({ username, locale, attributes }: Account): Readonly<Record<ClaimName, string | undefined>> {
  const text = (name: string): string | undefined => {
    const value = attributes[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const [given, family] = [text('firstName'), text('lastName')];
  return {
    sub: username,
    preferred_username: username,
    name: given === undefined && family === undefined ? undefined : [given, family].filter(Boolean).join(' '),
    given_name: given,
    family_name: family,
    locale: locale?.replace('_', '-'),
    email: text('email'),
  };
}
