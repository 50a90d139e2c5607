import { meetsAcr } from '@lintel/contracts';
import type { Access } from './access.ts';

/** The access of a caller whose login has this strength. */
export function accessAfter(access: Access, acr: string | undefined): Access {
  const { afterLogin } = access;
  return afterLogin === undefined || !meetsAcr(acr, afterLogin.acr) ? access : accessAfter(afterLogin.access, acr);
}

/** The access by all policies, however strong the login is that they need. */
export const strongestAccess = (access: Access): Access =>
  access.afterLogin === undefined ? access : strongestAccess(access.afterLogin.access);
