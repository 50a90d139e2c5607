import { Secret, TOTP } from 'otpauth';

const PERIOD_SECONDS = 30;
const DIGITS = 6;
const SECRET_BYTES = 20;
/** Time steps before and after the current one whose codes are accepted (RFC 6238 §5.2). */
const WINDOW = 1;

/** A new secret in Base32. */
export const newTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** The `otpauth` URI that authenticator apps read. */
export const totpUri = (secret: string, issuer: string, username: string): string =>
  new TOTP({ issuer, label: username, secret, digits: DIGITS, period: PERIOD_SECONDS }).toString();

/** The time step whose code was given; undefined if the code is wrong. */
export function totpStep(secret: string, code: string, nowMs: number): number | undefined {
  const totp = new TOTP({ secret, digits: DIGITS, period: PERIOD_SECONDS });
  const delta = totp.validate({ token: code, timestamp: nowMs, window: WINDOW });
  return delta === null ? undefined : totp.counter({ timestamp: nowMs }) + delta;
}
