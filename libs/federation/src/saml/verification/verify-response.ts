import type { SAML } from '@node-saml/node-saml';
import type { Document, Element } from '@xmldom/xmldom';
import { ProviderFailure } from '../../providers/provider-failure.ts';
import { allOf, attributeOf, childrenOf, parseMessage, rootOf } from './parse-xml.ts';
import { type AssertionExpectations, readAssertion, type VerifiedAssertion } from './read-assertion.ts';
import { assertAlgorithms } from './signature-algorithms.ts';

const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';

/**
 * Verifies a response of the binding HTTP-POST. The form of the document is checked first, then the signature by the
 * library, and then the statements, of which only those count that the signature covers.
 *
 * @throws ProviderFailure with the reason
 */
export async function verifyResponse(
  saml: SAML,
  encoded: string,
  expected: AssertionExpectations,
): Promise<VerifiedAssertion> {
  const document = await parseMessage(encoded);
  assertForm(document, expected);
  assertAlgorithms(document);
  const xml = await signedAssertion(saml, encoded);
  return readAssertion(xml, expected);
}

function assertForm(document: Document, { recipient, requestId }: AssertionExpectations): void {
  const response = rootOf(document, 'protocol', 'Response');
  if (response === undefined) throw new ProviderFailure('refused', 'no response');
  // A response that was not requested has none.
  if (attributeOf(response, 'InResponseTo') !== requestId) throw new ProviderFailure('refused', 'request');
  if ((attributeOf(response, 'Destination') ?? recipient) !== recipient)
    throw new ProviderFailure('refused', 'destination');
  const status = statusOf(response);
  if (status !== SUCCESS) throw new ProviderFailure('refused', `status ${/[A-Za-z]+$/.exec(status)?.[0] ?? 'missing'}`);
  if (allOf(document, 'assertion', 'EncryptedAssertion').length > 0)
    throw new ProviderFailure('refused', 'encrypted assertion');
  // One in the whole document: a signed assertion that was moved elsewhere does not count for another one.
  const all = allOf(document, 'assertion', 'Assertion');
  if (all.length !== 1 || childrenOf(response, 'assertion', 'Assertion').length !== 1)
    throw new ProviderFailure('refused', 'not one assertion');
}

/** The more specific code, if there are two. */
function statusOf(response: Element): string {
  const [status] = childrenOf(response, 'protocol', 'Status');
  const [code] = status === undefined ? [] : childrenOf(status, 'protocol', 'StatusCode');
  const [detail] = code === undefined ? [] : childrenOf(code, 'protocol', 'StatusCode');
  const value = code === undefined ? undefined : attributeOf(code, 'Value');
  return (value === SUCCESS || detail === undefined ? value : attributeOf(detail, 'Value')) ?? '';
}

async function signedAssertion(saml: SAML, encoded: string): Promise<string> {
  const xml = await saml.validatePostResponseAsync({ SAMLResponse: encoded }).then(
    ({ profile }) => profile?.getAssertionXml?.(),
    (error: unknown) => {
      throw new ProviderFailure('refused', reasonOf(error), { cause: error });
    },
  );
  if (xml === undefined) throw new ProviderFailure('refused', 'no assertion');
  return xml;
}

/** Messages of the library contain texts of the response, so they are not shown. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  if (/signature|ref URI/i.test(message)) return 'signature';
  if (message.includes('expired')) return 'expired';
  if (message.includes('not yet valid')) return 'not yet valid';
  return /audience/i.test(message) ? 'audience' : 'response';
}
