import { type Acr, meetsAcr, type Principal } from '@lintel/contracts';

/** Whether a login is as strong and as new as needed; one whose strength or time is not known is not. */
export const isSufficient = (
  { acr, authTime }: Pick<Principal, 'acr' | 'authTime'>,
  needed: { readonly acr?: Acr | undefined; readonly maxAgeSeconds?: number | undefined },
  nowMs: number,
): boolean =>
  (needed.acr === undefined || meetsAcr(acr, needed.acr)) &&
  (needed.maxAgeSeconds === undefined || (authTime !== undefined && nowMs / 1_000 - authTime <= needed.maxAgeSeconds));
