import { createPublicKey, type JsonWebKey } from 'node:crypto';

/** Whether a key verifies ES256, EdDSA, ML-DSA-44, or RS256 with a size of RFC 7518 §3.3 that OpenSSL accepts. */
export function isVerifyingKey(jwk: JsonWebKey): boolean {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails = {} } = createPublicKey({ key: jwk, format: 'jwk' });
    const { modulusLength: bits = 0, publicExponent: e = 0n, namedCurve } = asymmetricKeyDetails;
    if (asymmetricKeyType === 'ec') return namedCurve === 'prime256v1';
    if (asymmetricKeyType !== 'rsa') return /^(ed25519|ml-dsa-44)$/.test(asymmetricKeyType ?? '');
    const isOdd = Number(Buffer.from(jwk.n ?? '', 'base64url').at(-1)) % 2 === 1;
    return isOdd && bits >= 2_048 && bits <= 16_384 && e >= 3n && e < 2n ** 64n && e % 2n === 1n;
  } catch {
    // A member is missing or wrong, or the point is off the curve.
    return false;
  }
}

/** Whether the key of a passkey, in COSE (RFC 9053 §7, RFC 8230 §4), verifies its algorithm. */
export function isVerifyingCoseKey(key: { get(label: number): unknown }): boolean {
  const [first, x, y] = [-1, -2, -3].map((label) => {
    const value = key.get(label);
    return value instanceof Uint8Array ? Buffer.from(value).toString('base64url') : '';
  });
  const jwks: Readonly<Record<string, object>> = {
    '1 -8': { kty: 'OKP', crv: 'Ed25519', x },
    '2 -7': { kty: 'EC', crv: 'P-256', x, y },
    '3 -257': { kty: 'RSA', n: first, e: x },
    '7 -48': { kty: 'AKP', alg: 'ML-DSA-44', pub: first },
  };
  return isVerifyingKey({ ...jwks[`${key.get(1)} ${key.get(3)}`] });
}
