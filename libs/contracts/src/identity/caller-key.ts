import type { Principal } from './session.ts';

declare const callerKey: unique symbol;

/** Names one caller, for everything that belongs to callers. Only `callerKeyOf` makes one. */
export type CallerKey = string & { readonly [callerKey]: true };

const PREFIX = /^(user|client|anonymous):/;

/**
 * The key of a caller: a user and a client of the same name have different ones. The key of a user is the name, which
 * the triggers of names follow (ADR 95); a name that looks like the key of another caller has a prefix, too.
 *
 * @example callerKeyOf({ kind: 'client', username: 'nightly' }) // client:nightly
 */
export const callerKeyOf = ({ kind, username }: Pick<Principal, 'kind' | 'username'>): CallerKey =>
  (kind === 'user' && !PREFIX.test(username) ? username : `${kind}:${username}`) as CallerKey;

/** Identifies a caller across sessions and names. */
export const lastingKeyOf = ({ kind, userId, username }: Pick<Principal, 'kind' | 'userId' | 'username'>): string =>
  `${kind}:${userId ?? username}`;
