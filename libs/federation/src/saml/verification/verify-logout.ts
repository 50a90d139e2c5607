import { verify, X509Certificate } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { isStorable } from '@lintel/persistence';
import type { SAML } from '@node-saml/node-saml';
import { ProviderFailure } from '../../providers/provider-failure.ts';
import {
  attributeOf,
  childrenOf,
  LOGOUT_LIMITS,
  MAX_MESSAGE_BYTES,
  messageOf,
  parseMessage,
  parseXml,
  rootOf,
  textOf,
} from './parse-xml.ts';
import { CLOCK_TOLERANCE_MS } from './read-assertion.ts';
import { assertAlgorithms } from './signature-algorithms.ts';

/** A logout request as it arrives. */
export type LogoutMessage =
  | { readonly binding: 'post'; readonly request: string }
  /** The query is used as it is: its signature covers the encoded text. */
  | { readonly binding: 'redirect'; readonly query: string };

/** What a provider asks to log out: sessions of a subject, or all of them. */
export interface SamlLogout {
  readonly id: string;
  readonly issuer: string;
  readonly nameId: string;
  readonly sids: readonly string[];
}

export interface LogoutExpectations {
  readonly saml: SAML;
  readonly certificates: readonly string[];
  readonly issuer: string;
  readonly destination: string;
  readonly nowMs: number;
}

const MAX_AGE_MS = 5 * 60_000;
const DIGESTS: Readonly<Record<string, string>> = {
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256': 'sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512': 'sha512',
};

const refused = (reason: string, cause?: unknown) => new ProviderFailure('refused', reason, { cause });

/**
 * Verifies a logout request of a provider, which must be signed.
 *
 * @throws ProviderFailure with the reason
 */
export async function verifyLogout(message: LogoutMessage, expected: LogoutExpectations): Promise<SamlLogout> {
  const xml =
    message.binding === 'post' ? await signedForm(message.request, expected) : signedQuery(message.query, expected);
  return readLogout(xml, expected);
}

async function signedForm(encoded: string, { saml }: LogoutExpectations): Promise<string> {
  const document = await parseMessage(encoded, LOGOUT_LIMITS);
  if (rootOf(document, 'protocol', 'LogoutRequest') === undefined) throw refused('no logout request');
  assertAlgorithms(document);
  // It requires that the signature covers the root.
  await saml.validatePostRequestAsync({ SAMLRequest: encoded }).catch((error: unknown) => {
    throw refused(error instanceof Error && /signature/i.test(error.message) ? 'signature' : 'logout request', error);
  });
  return messageOf(encoded);
}

/** SAML bindings 3.4.4.1. The signature is verified before the message is unpacked. */
function signedQuery(query: string, { certificates }: LogoutExpectations): string {
  const parts = query.replace(/^\?/, '').split('&');
  const raw = (name: string): string | undefined => {
    const [found, ...others] = parts.filter((part) => part.startsWith(`${name}=`));
    if (others.length > 0) throw refused('repeated parameter');
    return found;
  };
  const [message, relayState, algorithm, signature] = [
    raw('SAMLRequest'),
    raw('RelayState'),
    raw('SigAlg'),
    raw('Signature'),
  ];
  if (message === undefined) throw refused('no logout request');
  if (algorithm === undefined || signature === undefined) throw refused('signature');
  const digest = DIGESTS[decodedValue(algorithm)];
  if (digest === undefined) throw refused('algorithm');
  const signed = Buffer.from([message, relayState, algorithm].filter((part) => part !== undefined).join('&'));
  const bytes = Buffer.from(decodedValue(signature), 'base64');
  if (!certificates.some((pem) => verify(digest, signed, new X509Certificate(pem).publicKey, bytes)))
    throw refused('signature');
  try {
    const packed = Buffer.from(decodedValue(message), 'base64');
    return inflateRawSync(packed, { maxOutputLength: MAX_MESSAGE_BYTES }).toString('utf8');
  } catch (error) {
    throw refused('logout request', error);
  }
}

function decodedValue(part: string): string {
  try {
    return decodeURIComponent(part.slice(part.indexOf('=') + 1));
  } catch (error) {
    throw refused('logout request', error);
  }
}

function readLogout(xml: string, { issuer, destination, nowMs }: LogoutExpectations): SamlLogout {
  const request = rootOf(parseXml(xml), 'protocol', 'LogoutRequest');
  if (request === undefined) throw refused('no logout request');
  const [from] = childrenOf(request, 'assertion', 'Issuer');
  if (from === undefined || textOf(from) !== issuer) throw refused('issuer');
  if (attributeOf(request, 'Destination') !== destination) throw refused('destination');
  const issuedMs = Date.parse(attributeOf(request, 'IssueInstant') ?? '');
  if (!(Math.abs(nowMs - issuedMs) <= MAX_AGE_MS)) throw refused('expired');
  const until = attributeOf(request, 'NotOnOrAfter');
  if (until !== undefined && !(nowMs - CLOCK_TOLERANCE_MS < Date.parse(until))) throw refused('expired');
  const [name, ...others] = childrenOf(request, 'assertion', 'NameID');
  const id = attributeOf(request, 'ID');
  if (id === undefined || name === undefined || others.length > 0) throw refused('no name');
  const sids = childrenOf(request, 'protocol', 'SessionIndex').map(textOf);
  if (![textOf(name), ...sids].every(isStorable)) throw refused('a subject or session that cannot be stored');
  return { id, issuer, nameId: textOf(name), sids };
}
