import { SignJWT } from 'jose';

/** A token signed with a shared secret (HS256), valid for a run. */
export const signToken = (secret: string, claims: Readonly<Record<string, unknown>>): Promise<string> =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuedAt()
    .setExpirationTime('6h')
    .sign(new TextEncoder().encode(secret));
