import type { Element } from '@xmldom/xmldom';
import type { Claims } from '../../identity/read-claim.ts';
import { attributeOf, childrenOf, textOf } from './parse-xml.ts';

const WS = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims';

/** Names of attributes that providers use for the claims that users are created from. */
const NAMES = {
  given_name: ['given_name', 'givenName', 'firstName', 'urn:oid:2.5.4.42', `${WS}/givenname`],
  family_name: ['family_name', 'sn', 'surname', 'lastName', 'urn:oid:2.5.4.4', `${WS}/surname`],
  email: ['email', 'mail', 'urn:oid:0.9.2342.19200300.100.1.3', `${WS}/emailaddress`],
} as const;

/**
 * The attributes of an assertion as claims: one value is a text, several are a list. Values of attributes with the
 * same name belong together. The claim `preferred_username` is the name of the subject, unless an attribute has it.
 */
export function claimsOf(assertion: Element, nameId: string): Claims {
  const values = new Map<string, string[]>();
  for (const statement of childrenOf(assertion, 'assertion', 'AttributeStatement'))
    for (const attribute of childrenOf(statement, 'assertion', 'Attribute')) {
      const name = attributeOf(attribute, 'Name');
      const texts = childrenOf(attribute, 'assertion', 'AttributeValue').map(textOf);
      if (name !== undefined && texts.length > 0) values.set(name, [...(values.get(name) ?? []), ...texts]);
    }
  const first = (names: readonly string[]): string | undefined =>
    names.map((name) => values.get(name)?.[0]).find((value) => value !== undefined);
  return {
    preferred_username: nameId,
    ...Object.fromEntries([...values].map(([name, texts]) => [name, texts.length === 1 ? texts[0] : texts])),
    given_name: first(NAMES.given_name),
    family_name: first(NAMES.family_name),
    email: first(NAMES.email),
    // SAML has no such statement; the provider belongs to the organisation.
    email_verified: true,
  };
}
