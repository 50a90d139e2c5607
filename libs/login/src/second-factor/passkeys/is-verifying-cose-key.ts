import { isVerifyingKey } from '@lintel/http';

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
