import type { Acr } from '@lintel/contracts';
import type { AssignedRoles, StoredAccount } from '@lintel/persistence';

/** A user of `sec.user`. */
export type Account = StoredAccount;

/** Users and their role assignments. */
export interface AccountDirectory {
  find(username: string): Promise<Account | undefined>;
  /** Names of users that equal a name without case: at most two, the equal one first. */
  namesLike(username: string): Promise<readonly string[]>;
  /** Role codes assigned to a name, whether or not a user of that name exists. */
  rolesOf(username: string): Promise<AssignedRoles>;
  /** Replaces the hash that was verified by a new one; false if it has changed since. */
  replacePasswordHash(account: Account, newHash: string): Promise<boolean>;
}

/** Requirements of clients for the logins of their users. */
export interface ClientDirectory {
  find(clientId: string): { readonly requiredAcr?: Acr | undefined } | undefined;
}

/** Tokens by their value; the hint is the kind to try first. */
export interface TokenDirectory {
  find(token: string, hint: 'access_token'): Promise<PresentedToken | undefined>;
}

export interface PresentedToken {
  readonly kind: 'access' | 'client' | 'refresh';
  readonly clientId: string;
  readonly sessionId: string | undefined;
  readonly isValid: boolean;
  /** Thumbprint of the key that the token is bound to (RFC 9449). */
  readonly thumbprint?: string | undefined;
}

/** Encrypts texts for URLs, stores and tables, by a key that all replicas derive from the same secret. */
export interface TextCipher {
  encrypt(text: string, context: string): Buffer;
  /** @returns undefined if the text was encrypted by another key or for another context, or was changed */
  decrypt(encrypted: Buffer, context: string): string | undefined;
}

export interface IdSource {
  /** A new random UUID. */
  next(): string;
}
