import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** What a passkey does differently from an honest one. */
export interface PasskeyDefects {
  readonly origin?: string;
  readonly challenge?: string;
  readonly rpId?: string;
  readonly isVerified?: boolean;
  readonly userHandle?: string;
  readonly counter?: number;
  readonly crossOrigin?: boolean;
  /** A key in COSE, instead of the own one. */
  readonly key?: Buffer;
}

/** The options that a page has for its script. */
export interface PageOptions {
  readonly challenge: string;
  readonly rpId?: string;
  readonly rp?: { readonly id?: string };
  readonly user?: { readonly id: string };
}

/** The options of the form with a decision, undefined if the page has no such form. */
export function passkeyOptionsOf(page: string, decision: string): PageOptions | undefined {
  for (const [form] of page.matchAll(/<form [^>]*data-passkey[\s\S]*?<\/form>/g))
    if (form.includes(`value="${decision}"`)) {
      const text = /data-options="([^"]*)"/.exec(form)?.[1] ?? '';
      return JSON.parse(text.replaceAll('&quot;', '"').replaceAll('&amp;', '&'));
    }
  return undefined;
}

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');
const sha256 = (bytes: string | Uint8Array): Buffer => createHash('sha256').update(bytes).digest();
/** CBOR: a byte string, and a map of texts. */
const byteString = (bytes: Uint8Array): Buffer =>
  Buffer.concat([
    bytes.length < 24 ? Buffer.of(0x40 + bytes.length) : Buffer.of(0x59, bytes.length >> 8, bytes.length & 255),
    bytes,
  ]);
const textString = (value: string): Buffer => Buffer.concat([Buffer.of(0x60 + value.length), Buffer.from(value)]);

/** A key in COSE (RFC 9053 §7, RFC 8230 §4): of ES256 with the point, and of RS256. */
export const ecKey = (x: Buffer, y: Buffer): Buffer =>
  Buffer.concat([Buffer.from('a5010203262001215820', 'hex'), x, Buffer.from('225820', 'hex'), y]);
export const rsaKey = (n: Buffer, e: Buffer): Buffer =>
  Buffer.concat([Buffer.from('a401030339010020', 'hex'), byteString(n), Buffer.of(0x21), byteString(e)]);

/** A passkey in software, with ES256, as an authenticator with the origin of a page would make it. */
export class SoftwarePasskey {
  readonly id = randomBytes(32);
  readonly #origin: string;
  readonly #key: KeyObject;
  readonly #public: { readonly x: Buffer; readonly y: Buffer };
  #userHandle = '';
  #counter = 0;

  constructor(origin: string) {
    this.#origin = origin;
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    this.#key = privateKey;
    this.#public = { x: Buffer.from(x, 'base64url'), y: Buffer.from(y, 'base64url') };
  }

  create(options: PageOptions, defects: PasskeyDefects = {}): string {
    this.#userHandle = options.user?.id ?? '';
    const cose = defects.key ?? ecKey(this.#public.x, this.#public.y);
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.of(0, this.id.length), this.id, cose]);
    const data = Buffer.concat([this.#data(options.rp?.id, defects, 0x40), attested]);
    const attestation = Buffer.concat([
      Buffer.of(0xa3),
      ...[textString('fmt'), textString('none'), textString('attStmt'), Buffer.of(0xa0), textString('authData')],
      byteString(data),
    ]);
    const client = this.#client('webauthn.create', options, defects);
    return this.#json({ clientDataJSON: text(client), attestationObject: text(attestation), transports: ['internal'] });
  }

  get(options: PageOptions, defects: PasskeyDefects = {}): string {
    this.#counter += 1;
    const client = this.#client('webauthn.get', options, defects);
    const data = this.#data(options.rpId, defects, 0);
    return this.#json({
      clientDataJSON: text(client),
      authenticatorData: text(data),
      signature: text(sign('sha256', Buffer.concat([data, sha256(client)]), this.#key)),
      userHandle: defects.userHandle ?? this.#userHandle,
    });
  }

  #client(type: string, { challenge }: PageOptions, defects: PasskeyDefects): Buffer {
    const origin = defects.origin ?? this.#origin;
    const { crossOrigin = false } = defects;
    return Buffer.from(JSON.stringify({ type, challenge: defects.challenge ?? challenge, origin, crossOrigin }));
  }

  #data(rpId = '', { isVerified = true, counter, rpId: other }: PasskeyDefects, more: number): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter ?? this.#counter);
    return Buffer.concat([sha256(other ?? rpId), Buffer.of(1 | (isVerified ? 4 : 0) | more), count]);
  }

  #json(response: object): string {
    const id = text(this.id);
    return JSON.stringify({ id, rawId: id, type: 'public-key', response, clientExtensionResults: {} });
  }
}
