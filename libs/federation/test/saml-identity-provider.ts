import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { SignedXml } from 'xml-crypto';

/** How a response of the provider differs from a correct one. */
export interface SamlHostility {
  readonly issuer?: string;
  readonly audience?: string;
  readonly recipient?: string;
  readonly destination?: string;
  /** `InResponseTo` of the response and of the confirmation; null for a response that was not requested. */
  readonly inResponseTo?: string | null;
  readonly assertionId?: string;
  /** Offsets in seconds. */
  readonly notBefore?: number;
  readonly notOnOrAfter?: number;
  readonly sessionNotOnOrAfter?: number;
  readonly nameId?: string;
  readonly nameIdFormat?: string;
  readonly sessionIndex?: string;
  readonly attributes?: Readonly<Record<string, readonly string[]>>;
  readonly status?: string;
  readonly sign?: 'assertion' | 'response' | 'none';
  readonly signatureAlgorithm?: 'sha1' | 'sha256';
  /** Another key, of which the provider does not publish the certificate. */
  readonly foreignKey?: boolean;
  /** Changes the document before, and after it is signed. */
  readonly before?: (xml: string) => string;
  readonly after?: (xml: string) => string;
}

export interface SamlIdentityProvider {
  readonly issuer: string;
  readonly metadataUrl: string;
  readonly signOnUrl: string;
  readonly certificateFile: string;
  readonly keyFile: string;
  readonly metadataRequests: () => number;
  setAvailable(isAvailable: boolean): void;
  /** What a browser sees at the address of a login request; else the metadata. */
  serveLogin(pageOf: (address: URL) => string): void;
  /** The provider signs with a new key from now on, and publishes its certificate instead of the former one. */
  rotate(): void;
  /** The fields of the form with which the browser of a login request returns. */
  respond(address: URL, hostility?: SamlHostility): { readonly SAMLResponse: string; readonly RelayState: string };
  logoutRequest(
    fields: { readonly nameId: string; readonly sessionIndex?: string },
    hostility?: LogoutHostility,
  ): string;
  close(): Promise<void>;
}

export interface LogoutHostility {
  readonly id?: string;
  readonly issuer?: string;
  readonly destination?: string;
  readonly issued?: number;
  readonly sign?: boolean;
  readonly foreignKey?: boolean;
  readonly after?: (xml: string) => string;
}

export const SP_BASE = 'https://lintel.example/as-login/provider';
const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol';
const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion';
const SIGNATURE_METHODS = {
  sha1: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1',
  sha256: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
};
const DIGEST_METHODS = {
  sha1: 'http://www.w3.org/2000/09/xmldsig#sha1',
  sha256: 'http://www.w3.org/2001/04/xmlenc#sha256',
};

/** The XML of a login request. */
export const requestXml = (address: URL): string =>
  inflateRawSync(Buffer.from(address.searchParams.get('SAMLRequest') ?? '', 'base64')).toString('utf8');

/**
 * A SAML identity provider that logs in whom the test wants, correct except for what a hostility says.
 *
 * @param name of the provider in the configuration
 */
export async function startSamlIdentityProvider(name: string): Promise<SamlIdentityProvider> {
  const folder = mkdtempSync(join(tmpdir(), 'lintel-saml-'));
  const keys = new Map<string, ReturnType<typeof newKey>>();
  // A key takes a tenth of a second, and tests use the first one, seldom another.
  const keyOf = (which: 'first' | 'second' | 'foreign') => {
    const key = keys.get(which) ?? newKey(folder, which);
    keys.set(which, key);
    return key;
  };
  let current: 'first' | 'second' = 'first';
  let isAvailable = true;
  let metadataRequests = 0;
  let loginPage: ((address: URL) => string) | undefined;
  const server = createServer((request, response) => {
    if (loginPage !== undefined && request.url?.startsWith('/login') === true) {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      return void response.end(loginPage(new URL(request.url, origin)));
    }
    metadataRequests += 1;
    if (!isAvailable) return void response.writeHead(503).end();
    response.writeHead(200, { 'content-type': 'application/samlmetadata+xml' }).end(metadata());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issuer = `${origin}/entity`;
  const consumer = `${SP_BASE}/${name}/acs`;
  const certificateText = () =>
    keyOf(current)
      .certificate.replace(/-----[A-Z ]+-----/g, '')
      .replace(/\s/g, '');
  const metadata = () => `<?xml version="1.0" encoding="UTF-8"?>
<!-- published by the test -->
<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${issuer}">
<md:IDPSSODescriptor protocolSupportEnumeration="${PROTOCOL}">
<md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data>
<ds:X509Certificate>${certificateText()}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>
<md:SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${origin}/logout"/>
<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${origin}/post"/>
<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${origin}/login"/>
</md:IDPSSODescriptor></md:EntityDescriptor>`;
  const newId = (kind: string) => `_${kind}-${randomUUID()}`;

  function responseXml(requestId: string, hostile: SamlHostility): string {
    const id = hostile.assertionId ?? newId('assertion');
    const inResponseTo = hostile.inResponseTo === undefined ? requestId : hostile.inResponseTo;
    const requested = inResponseTo === null ? '' : ` InResponseTo="${inResponseTo}"`;
    const until = time(hostile.notOnOrAfter ?? 300);
    const sessionEnd =
      hostile.sessionNotOnOrAfter === undefined ? '' : ` SessionNotOnOrAfter="${time(hostile.sessionNotOnOrAfter)}"`;
    const attributes = Object.entries(hostile.attributes ?? {}).map(
      ([attribute, values]) =>
        `<saml:Attribute Name="${attribute}">${values.map((value) => `<saml:AttributeValue>${value}</saml:AttributeValue>`).join('')}</saml:Attribute>`,
    );
    const assertion = `<saml:Assertion xmlns:saml="${ASSERTION}" ID="${id}" Version="2.0" IssueInstant="${time(0)}"><saml:Issuer>${hostile.issuer ?? issuer}</saml:Issuer><saml:Subject><saml:NameID Format="${hostile.nameIdFormat ?? 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified'}">${hostile.nameId ?? 'hedy'}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData Recipient="${hostile.recipient ?? consumer}"${requested} NotOnOrAfter="${until}"/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="${time(hostile.notBefore ?? -5)}" NotOnOrAfter="${until}"><saml:AudienceRestriction><saml:Audience>${hostile.audience ?? `${SP_BASE}/${name}/metadata`}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AuthnStatement AuthnInstant="${time(0)}" SessionIndex="${hostile.sessionIndex ?? 'session-1'}"${sessionEnd}><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement><saml:AttributeStatement>${attributes.join('')}</saml:AttributeStatement></saml:Assertion>`;
    const status = `<samlp:Status><samlp:StatusCode Value="${hostile.status ?? 'urn:oasis:names:tc:SAML:2.0:status:Success'}"/></samlp:Status>`;
    const plain = `<samlp:Response xmlns:samlp="${PROTOCOL}" ID="${newId('response')}" Version="2.0" IssueInstant="${time(0)}" Destination="${hostile.destination ?? consumer}"${requested}><saml:Issuer xmlns:saml="${ASSERTION}">${hostile.issuer ?? issuer}</saml:Issuer>${status}${assertion}</samlp:Response>`;
    const document = (hostile.before ?? same)(plain);
    const key = hostile.foreignKey === true ? keyOf('foreign') : keyOf(current);
    if (hostile.sign === 'none') return document;
    const path = hostile.sign === 'response' ? "/*[local-name(.)='Response']" : "//*[local-name(.)='Assertion']";
    return signed(document, path, key.key, hostile.signatureAlgorithm);
  }

  return {
    issuer,
    metadataUrl: `${origin}/metadata`,
    signOnUrl: `${origin}/login`,
    certificateFile: keyOf('first').certificateFile,
    keyFile: keyOf('first').keyFile,
    metadataRequests: () => metadataRequests,
    setAvailable(value) {
      isAvailable = value;
    },
    serveLogin(pageOf) {
      loginPage = pageOf;
    },
    rotate() {
      current = 'second';
    },
    respond(address, hostile = {}) {
      const [, requestId = ''] = / ID="([^"]+)"/.exec(requestXml(address)) ?? [];
      const xml = (hostile.after ?? same)(responseXml(requestId, hostile));
      const relayState = address.searchParams.get('RelayState') ?? '';
      return { SAMLResponse: Buffer.from(xml).toString('base64'), RelayState: relayState };
    },
    logoutRequest({ nameId, sessionIndex }, hostile = {}) {
      const session = sessionIndex === undefined ? '' : `<samlp:SessionIndex>${sessionIndex}</samlp:SessionIndex>`;
      const xml = `<samlp:LogoutRequest xmlns:samlp="${PROTOCOL}" xmlns:saml="${ASSERTION}" ID="${hostile.id ?? newId('logout')}" Version="2.0" IssueInstant="${time(hostile.issued ?? 0)}" Destination="${hostile.destination ?? `${SP_BASE}/${name}/single-logout`}"><saml:Issuer>${hostile.issuer ?? issuer}</saml:Issuer><saml:NameID>${nameId}</saml:NameID>${session}</samlp:LogoutRequest>`;
      const key = hostile.foreignKey === true ? keyOf('foreign') : keyOf(current);
      const document = hostile.sign === false ? xml : signed(xml, "/*[local-name(.)='LogoutRequest']", key.key);
      return (hostile.after ?? same)(document);
    },
    close: () =>
      new Promise((resolve) => {
        rmSync(folder, { recursive: true });
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const same = (xml: string): string => xml;
const time = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();

function signed(xml: string, xpath: string, privateKey: string, algorithm: 'sha1' | 'sha256' = 'sha256'): string {
  const signature = new SignedXml({
    privateKey,
    signatureAlgorithm: SIGNATURE_METHODS[algorithm],
    canonicalizationAlgorithm: 'http://www.w3.org/2001/10/xml-exc-c14n#',
  });
  signature.addReference({
    xpath,
    digestAlgorithm: DIGEST_METHODS[algorithm],
    transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', 'http://www.w3.org/2001/10/xml-exc-c14n#'],
  });
  signature.computeSignature(xml, { location: { reference: `${xpath}/*[local-name(.)='Issuer']`, action: 'after' } });
  return signature.getSignedXml();
}

function newKey(folder: string, name: string) {
  const keyFile = join(folder, `${name}.key`);
  const certificateFile = join(folder, `${name}.crt`);
  const files = ['-keyout', keyFile, '-out', certificateFile];
  const options = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', `/CN=${name}`, ...files];
  execFileSync('openssl', options, { stdio: ['ignore', 'ignore', 'pipe'] });
  const [key, certificate] = [readFileSync(keyFile, 'utf8'), readFileSync(certificateFile, 'utf8')];
  return { key, certificate, keyFile, certificateFile };
}
