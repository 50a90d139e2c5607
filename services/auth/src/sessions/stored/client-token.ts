import type { KeyValueStore } from '@lintel/cache';

/** A client-credentials token and its session. */
export interface ClientToken {
  readonly sessionId: string;
  /** Identifies the token and is not secret. */
  readonly tokenId: string;
}

/** The store of the lists of clients' tokens. */
export type ClientTokenLists = Pick<KeyValueStore, 'addToBoundedList' | 'removeFromBoundedList'>;

/** No token has this member. */
const NO_TOKEN = '-';

const keyOf = (clientId: string): string => `client-tokens:${clientId}`;

const toMember = ({ sessionId, tokenId }: ClientToken): string => `${sessionId}:${tokenId}`;

function fromMember(member: string): ClientToken {
  const end = member.indexOf(':');
  return { sessionId: member.slice(0, end), tokenId: member.slice(end + 1) };
}

/** Adds a token to the list of its client. Returns the oldest ones above the limit, which the list no longer has. */
export async function addToken(
  lists: ClientTokenLists,
  clientId: string,
  token: ClientToken,
  { lifeMs, max }: { readonly lifeMs: number; readonly max: number },
): Promise<readonly ClientToken[]> {
  return (await lists.addToBoundedList(keyOf(clientId), toMember(token), lifeMs, max)).map(fromMember);
}

export const removeToken = (lists: ClientTokenLists, clientId: string, token: ClientToken): Promise<void> =>
  lists.removeFromBoundedList(keyOf(clientId), toMember(token));

/** Empties the list of a client, and returns what it had. */
export async function takeTokens(lists: ClientTokenLists, clientId: string): Promise<readonly ClientToken[]> {
  // A list of at most one member returns all others.
  const taken = await lists.addToBoundedList(keyOf(clientId), NO_TOKEN, 1_000, 1);
  await lists.removeFromBoundedList(keyOf(clientId), NO_TOKEN);
  return taken.map(fromMember);
}
