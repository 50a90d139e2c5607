import { createPublicKey, type JsonWebKey } from 'node:crypto';

/** Whether a key verifies ES256, EdDSA, ML-DSA-44, or RS256 with a size of RFC 7518 §3.3 that OpenSSL accepts. */
export function isVerifyingKey(jwk: JsonWebKey): boolean {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails = {} } = createPublicKey({ key: jwk, format: 'jwk' });
    const { modulusLength: bits = 0, publicExponent: e = 0n, namedCurve } = asymmetricKeyDetails;
    if (asymmetricKeyType === 'ec') return namedCurve === 'prime256v1';
    if (asymmetricKeyType === 'ed25519') return isEd25519Key(Buffer.from(jwk.x ?? '', 'base64url'));
    if (asymmetricKeyType !== 'rsa') return asymmetricKeyType === 'ml-dsa-44';
    const isOdd = Number(Buffer.from(jwk.n ?? '', 'base64url').at(-1)) % 2 === 1;
    return isOdd && bits >= 2_048 && bits <= 16_384 && e >= 3n && e < 2n ** 64n && e % 2n === 1n;
  } catch {
    // A member is missing or wrong, or the point is off the curve.
    return false;
  }
}

/** The prime and the constant of edwards25519 (RFC 8032 §5.1). */
const PRIME = 2n ** 255n - 19n;
const D = 0x52036cee2b6ffe738cc740797779e89800700a4d4141d8ab75eb4dca135978a3n;

/**
 * Whether bytes are a point of the curve (RFC 8032 §5.1.3), which OpenSSL does not check, and have no order up to 8:
 * with such a key anybody can sign.
 */
function isEd25519Key(bytes: Buffer): boolean {
  const y = BigInt(`0x${bytes.reverse().toString('hex')}`) % 2n ** 255n;
  const y2 = y ** 2n % PRIME;
  if (y >= PRIME || (y2 * (y2 - 1n) * (D * y2 ** 2n + 2n * y2 - 1n)) % PRIME === 0n) return false;
  // Euler's criterion: the square of the other coordinate is one.
  let [power, base] = [1n, (y2 - 1n) * (D * y2 + 1n)];
  for (let exponent = (PRIME - 1n) / 2n; exponent > 0n; exponent /= 2n) {
    base %= PRIME;
    if (exponent % 2n === 1n) power = (power * base) % PRIME;
    base *= base;
  }
  return power === 1n;
}
