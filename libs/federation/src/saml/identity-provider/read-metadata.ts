import { X509Certificate } from 'node:crypto';
import type { ProviderProblemCode } from '@lintel/contracts';
import { xmlTokensOf } from '@lintel/contracts';
import type { Element } from '@xmldom/xmldom';
import { ProviderFailure } from '../../providers/provider-failure.ts';
import { attributeOf, childrenOf, METADATA_LIMITS, parseXml, rootOf, textOf } from '../verification/parse-xml.ts';

/** What is known of a SAML identity provider. */
export interface IdentityProvider {
  readonly signOnUrl: string;
  readonly logoutUrl: string | undefined;
  /** PEM; several while the provider changes its key. */
  readonly certificates: readonly string[];
}

const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';

/**
 * Reads the metadata of a provider, which may be one of several (`EntitiesDescriptor`).
 *
 * @throws ProviderFailure `unavailable` naming what is missing
 */
export function readMetadata(xml: string, issuer: string): IdentityProvider {
  // Publishers of metadata write comments; here they divide no text that matters.
  const parts = [...xmlTokensOf(xml)].filter(({ kind }) => kind !== 'comment');
  const document = parseXml(parts.map(({ begin, end }) => xml.slice(begin, end)).join(''), METADATA_LIMITS);
  const alone = rootOf(document, 'metadata', 'EntityDescriptor');
  const several = rootOf(document, 'metadata', 'EntitiesDescriptor');
  const entities = alone === undefined ? childrenOfAll(several, 'EntityDescriptor') : [alone];
  const entity = entities.find((each) => attributeOf(each, 'entityID') === issuer);
  if (entity === undefined) throw missing('issuer', `the metadata have no entity ${issuer}`);
  const [role] = childrenOf(entity, 'metadata', 'IDPSSODescriptor');
  if (role === undefined) throw missing('issuer', 'the entity is no identity provider');
  const addressOf = (service: string) =>
    childrenOf(role, 'metadata', service).find((each) => attributeOf(each, 'Binding') === REDIRECT);
  const signOn = addressOf('SingleSignOnService');
  const signOnUrl = signOn === undefined ? undefined : attributeOf(signOn, 'Location');
  if (signOnUrl === undefined || !URL.canParse(signOnUrl))
    throw missing('endpoints', 'the provider has no SingleSignOnService with the binding HTTP-Redirect');
  const logout = addressOf('SingleLogoutService');
  const logoutUrl =
    logout === undefined ? undefined : (attributeOf(logout, 'ResponseLocation') ?? attributeOf(logout, 'Location'));
  const certificates = certificatesOf(role);
  if (certificates.length === 0) throw missing('keys', 'the provider has no certificate that signs');
  return { signOnUrl, logoutUrl: URL.canParse(logoutUrl ?? '') ? logoutUrl : undefined, certificates };
}

const childrenOfAll = (element: Element | undefined, name: string): readonly Element[] =>
  element === undefined ? [] : childrenOf(element, 'metadata', name);

function certificatesOf(role: Element): readonly string[] {
  return childrenOf(role, 'metadata', 'KeyDescriptor')
    .filter((key) => (attributeOf(key, 'use') ?? 'signing') === 'signing')
    .flatMap((key) => childrenOf(key, 'signature', 'KeyInfo'))
    .flatMap((info) => childrenOf(info, 'signature', 'X509Data'))
    .flatMap((data) => childrenOf(data, 'signature', 'X509Certificate'))
    .map((certificate) => toPem(Buffer.from(textOf(certificate), 'base64')));
}

function toPem(certificate: Buffer): string {
  try {
    return new X509Certificate(certificate).toString();
  } catch (error) {
    throw new ProviderFailure('unavailable', 'a certificate of the provider cannot be read', {
      cause: error,
      problem: 'keys',
    });
  }
}

const missing = (problem: ProviderProblemCode, text: string) => new ProviderFailure('unavailable', text, { problem });
