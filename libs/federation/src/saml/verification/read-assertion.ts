import { isStorable } from '@lintel/persistence';
import type { Element } from '@xmldom/xmldom';
import { isSubject } from '../../identity/is-subject.ts';
import type { Claims } from '../../identity/read-claim.ts';
import type { ProviderLogin } from '../../providers/login-provider.ts';
import { ProviderFailure } from '../../providers/provider-failure.ts';
import { attributeOf, childrenOf, isText, parseXml, rootOf, textOf } from './parse-xml.ts';

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
function claimsOf(assertion: Element, nameId: string): Claims {
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

/** What an assertion must be for. */
export interface AssertionExpectations {
  readonly issuer: string;
  /** Entity id of Lintel. */
  readonly audience: string;
  /** Address to which the browser sends it. */
  readonly recipient: string;
  readonly requestId: string;
  readonly nowMs: number;
}

export interface VerifiedAssertion extends Pick<ProviderLogin, 'subject' | 'sid' | 'endsAtMs'> {
  readonly id: string;
  readonly claims: Claims;
}

export const CLOCK_TOLERANCE_MS = 30_000;
const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';
/** Conditions that are understood; another one makes an assertion invalid (SAML core 2.5.1). */
const CONDITIONS: ReadonlySet<string> = new Set(['AudienceRestriction', 'OneTimeUse', 'ProxyRestriction']);

const refused = (reason: string) => new ProviderFailure('refused', reason);

/**
 * Checks what an assertion is about (SAML profiles 4.1.4.3).
 *
 * @param xml the bytes that the signature covers, and nothing else
 * @throws ProviderFailure with the reason
 */
export function readAssertion(xml: string, expected: AssertionExpectations): VerifiedAssertion {
  const assertion = rootOf(parseXml(xml), 'assertion', 'Assertion');
  if (assertion === undefined) throw refused('no assertion');
  const id = attributeOf(assertion, 'ID');
  if (id === undefined || attributeOf(assertion, 'Version') !== '2.0') throw refused('no assertion');
  const issuer = childrenOf(assertion, 'assertion', 'Issuer')[0];
  if (issuer === undefined || textOf(issuer) !== expected.issuer) throw refused('issuer');
  assertConditions(only(assertion, 'Conditions'), expected);
  const subject = only(assertion, 'Subject');
  if (!childrenOf(subject, 'assertion', 'SubjectConfirmation').some((each) => isConfirmed(each, expected)))
    throw refused('subject confirmation');
  const name = only(subject, 'NameID');
  if (!isText(name)) throw refused('no name');
  if (attributeOf(name, 'Format') === TRANSIENT) throw refused('transient name');
  const authentications = childrenOf(assertion, 'assertion', 'AuthnStatement');
  const [authentication] = authentications;
  if (authentication === undefined) throw refused('no authentication');
  for (const each of authentications) assertTimes(each, expected, ['SessionNotOnOrAfter']);
  const sid = attributeOf(authentication, 'SessionIndex');
  if (!isSubject(textOf(name)) || (sid !== undefined && !isStorable(sid)))
    throw refused('a subject or session that cannot be stored');
  return {
    id,
    subject: textOf(name),
    sid,
    endsAtMs: endOf(authentications),
    claims: claimsOf(assertion, textOf(name)),
  };
}

/** When the first of the sessions at the provider ends. */
function endOf(authentications: readonly Element[]): number | undefined {
  const texts = authentications.map((each) => attributeOf(each, 'SessionNotOnOrAfter'));
  const ends = texts.flatMap((text) => (text === undefined ? [] : [Date.parse(text)]));
  return ends.length === 0 ? undefined : Math.min(...ends);
}

function only(parent: Element, name: string): Element {
  const [found, ...others] = childrenOf(parent, 'assertion', name);
  if (found === undefined || others.length > 0) throw refused(`no ${name}, or several`);
  return found;
}

function assertConditions(conditions: Element, expected: AssertionExpectations): void {
  assertTimes(conditions, expected, ['NotBefore', 'NotOnOrAfter']);
  for (let child = conditions.firstChild; child !== null; child = child.nextSibling)
    if (child.nodeType === 1 && !CONDITIONS.has((child as Element).localName ?? '')) throw refused('condition');
  const restrictions = childrenOf(conditions, 'assertion', 'AudienceRestriction');
  const isOurs = (restriction: Element) =>
    childrenOf(restriction, 'assertion', 'Audience').some((audience) => textOf(audience) === expected.audience);
  if (restrictions.length === 0 || !restrictions.every(isOurs)) throw refused('audience');
}

/** Whether the browser that sends the assertion may do so, here, for this request. */
function isConfirmed(confirmation: Element, expected: AssertionExpectations): boolean {
  const [data] = childrenOf(confirmation, 'assertion', 'SubjectConfirmationData');
  if (attributeOf(confirmation, 'Method') !== BEARER || data === undefined) return false;
  if (attributeOf(data, 'Recipient') !== expected.recipient) return false;
  if (attributeOf(data, 'InResponseTo') !== expected.requestId) return false;
  if (attributeOf(data, 'NotOnOrAfter') === undefined) return false;
  assertTimes(data, expected, ['NotBefore', 'NotOnOrAfter']);
  return true;
}

type TimeName = 'NotBefore' | 'NotOnOrAfter' | 'SessionNotOnOrAfter';

function assertTimes(element: Element, { nowMs }: AssertionExpectations, names: readonly TimeName[]): void {
  for (const name of names) {
    const text = attributeOf(element, name);
    if (text === undefined) continue;
    const timeMs = Date.parse(text);
    const isValid = name === 'NotBefore' ? nowMs + CLOCK_TOLERANCE_MS >= timeMs : nowMs - CLOCK_TOLERANCE_MS < timeMs;
    // NaN, too.
    if (!isValid) throw refused(name === 'NotBefore' ? 'not yet valid' : 'expired');
  }
}
