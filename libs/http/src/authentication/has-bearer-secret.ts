import { isSameSecret } from '../compare-secrets.ts';

/** Whether the bearer token of an `Authorization` header is a secret; spaces and commas are part of the token. */
export function hasBearerSecret(authorization: string | undefined, secret: string): boolean {
  const sent = /^bearer +(.+)$/i.exec(authorization ?? '')?.[1];
  return sent !== undefined && isSameSecret(sent, secret);
}
