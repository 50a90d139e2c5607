import {
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  type JWTVerifyResult,
  jwtVerify,
} from 'jose';

/** After it, times cannot be stored as dates. */
const LAST_SECOND = Date.UTC(9999, 11, 31) / 1_000;

export interface VerifyJwtOptions extends JWTVerifyOptions {
  readonly currentDate: Date;
  /** In seconds. */
  readonly clockTolerance?: number;
  /** When `iat` may be; `currentDate` by default, which differs where expired tokens are accepted. */
  readonly nowMs?: number;
}

/**
 * Verifies a JWT as `jwtVerify` of jose does, and its times, of which jose checks less: it is not issued in the future,
 * and does not expire after the year 9999.
 *
 * @throws errors.JOSEError
 */
export async function verifyJwt(
  token: string,
  keys: JWTVerifyGetKey,
  { nowMs, ...options }: VerifyJwtOptions,
): Promise<JWTVerifyResult<JWTPayload>> {
  const result = await jwtVerify(token, keys, options);
  const { iat, exp } = result.payload;
  const latest = (nowMs ?? options.currentDate.getTime()) / 1_000 + (options.clockTolerance ?? 0);
  const refuse = (claim: 'iat' | 'exp', text: string): never => {
    throw new errors.JWTClaimValidationFailed(`"${claim}" ${text}`, result.payload, claim, 'check_failed');
  };
  if (iat !== undefined && !(iat <= latest)) refuse('iat', 'is in the future');
  if (exp !== undefined && !(exp <= LAST_SECOND)) refuse('exp', 'is no date');
  return result;
}
