import { createPasswordPolicy } from '@lintel/passwords';
import type { LoginCheck } from '../accounts/login-check.ts';
import type { AuthConfig } from '../config.ts';
import type { AuthPorts } from '../ports.ts';
import { createPasswordChanges, type PasswordChanges, type PasswordChangesDeps } from './change-password.ts';
import { createPasswordStore, type PasswordStore } from './password-store.ts';

/** What users do with their own passwords, for the rest of the service. */
export interface Passwords {
  readonly changes: PasswordChanges;
  readonly store: PasswordStore;
}

export function createPasswords(
  { database, applicationNames = [] }: Pick<AuthPorts, 'database' | 'applicationNames'>,
  { passwords }: Pick<AuthConfig, 'passwords'>,
  deps: Pick<PasswordChangesDeps, 'hashing'> & { readonly checkLogin: LoginCheck },
): Passwords {
  const store = createPasswordStore(database);
  const policy = createPasswordPolicy({ ...passwords, words: [...applicationNames, ...passwords.words] });
  return { store, changes: createPasswordChanges({ ...deps, ...passwords, store, policy }) };
}
