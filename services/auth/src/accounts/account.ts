/** Users of `sec.user`, which belong to the data service, with the port to them that this service implements. */
export type { Account, AccountDirectory } from '@lintel/login';
