import { bearerToken } from '../../requests/context/bearer-token.ts';

/** A token as a request presents it. */
export interface PresentedToken {
  readonly scheme: 'bearer' | 'dpop';
  readonly token: string;
}

/** The token of an `Authorization` header of the schemes Bearer and DPoP (RFC 9449 §7.1). */
export function presentedToken(header: string | undefined): PresentedToken | undefined {
  const bearer = bearerToken(header);
  if (bearer !== undefined) return { scheme: 'bearer', token: bearer };
  const token = /^\s*dpop[ \t]+([^,\s]+)\s*$/i.exec(header ?? '')?.[1];
  return token === undefined ? undefined : { scheme: 'dpop', token };
}
