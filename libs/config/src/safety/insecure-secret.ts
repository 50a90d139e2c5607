import { environmentName } from '../key-names.ts';
import type { InsecureSetting, Insecurity } from './insecurities.ts';

const MIN_LENGTH = 32;
/** A secret of any length with fewer distinct characters is a repeated word. */
const MIN_VARIETY = 8;

/** Words of the secrets in examples, guides and templates. */
const WORDS =
  /^(?:an?|the|my|test|client|default)?[-_. ]*(?:secret|password|passwd|change[-_. ]?me|changeit|example|admin|demo|test|lintel|key|token)s?\d*$/i;
const EXAMPLES = /example|change[-_. ]?me|changeit|replace[-_. ]?me|insert[-_. ]?your|your[-_. ]?secret/i;

/** The length and the characters of a hash do not depend on the strength of the secret. */
const isHash = (secret: string): boolean => secret.startsWith('$argon2id$');

/** The use of a secret, for messages that depend on it. */
export interface SecretUse {
  /** The name of the insecurity if the secret is too short; `short-secrets` by default. */
  readonly short?: Extract<Insecurity, 'short-secrets' | 'short-client-secrets'>;
  /** What in the database cannot be read with another secret, in the plural: `signing keys`. */
  readonly encrypts?: string;
}

/**
 * Returns the problem of a secret that should be random: a published value, few distinct characters, or too few
 * characters.
 *
 * @param property the name of the setting
 */
export function insecureSecret(
  property: string,
  secret: string | undefined,
  { short = 'short-secrets', encrypts }: SecretUse = {},
): readonly InsecureSetting[] {
  if (secret === undefined || isHash(secret)) return [];
  const found = weaknessOf(secret.replace(/^\{noop\}/, ''));
  if (found === undefined) return [];
  const insecurity = found.isPublished ? 'default-secrets' : short;
  const remedy = `set ${environmentName(property)}, or ${environmentName(property)}_FILE, to what "openssl rand -hex 32" prints`;
  const exception =
    encrypts === undefined
      ? ''
      : `; keep the secret where the database has ${encrypts} already, and set svc.security.allow-insecure=${insecurity}: with another secret they cannot be read`;
  return [{ insecurity, problem: `${property}: ${found.weakness}; ${remedy}${exception}` }];
}

function weaknessOf(text: string): { readonly isPublished: boolean; readonly weakness: string } | undefined {
  if (WORDS.test(text) || EXAMPLES.test(text))
    return { isPublished: true, weakness: 'the value is a published example' };
  if (text.length < MIN_LENGTH) return { isPublished: false, weakness: `has fewer than ${MIN_LENGTH} characters` };
  if (new Set(text).size < MIN_VARIETY)
    return { isPublished: false, weakness: `has fewer than ${MIN_VARIETY} different characters` };
  return undefined;
}
