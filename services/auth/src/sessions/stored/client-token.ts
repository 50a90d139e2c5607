/** A client-credentials token and its session. */
export interface ClientToken {
  readonly sessionId: string;
  /** Identifies the token and is not secret. */
  readonly tokenId: string;
}

/** The key of the list of a client's tokens. */
export const clientTokensKey = (clientId: string): string => `client-tokens:${clientId}`;

export const toMember = ({ sessionId, tokenId }: ClientToken): string => `${sessionId}:${tokenId}`;

export function fromMember(member: string): ClientToken {
  const end = member.indexOf(':');
  return { sessionId: member.slice(0, end), tokenId: member.slice(end + 1) };
}
