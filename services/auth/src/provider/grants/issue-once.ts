import { setTimeout as sleep } from 'node:timers/promises';
import type { KeyValueStore } from '@lintel/cache';
import { hashToken } from '../../hash-token.ts';
import { createTextCipher } from '../../keys/text-cipher.ts';
import type { Clock } from '../../ports.ts';
import type { UserTokenResponse } from '../../tokens/token-response.ts';

/** Tokens that a client received for a code or a refresh token. */
export interface IssuedTokens extends UserTokenResponse {
  /** The id of the stored access token. */
  readonly tokenId: string;
}

/** An earlier request with the same secret and the same proof. */
export interface EarlierIssue {
  /** The refresh token that replaces the presented one; undefined for a code. */
  readonly successor?: string | undefined;
  /** Undefined until the tokens are issued. */
  readonly tokens?: IssuedTokens | undefined;
  /** When the tokens were issued, milliseconds since the epoch. */
  readonly atMs: number;
}

export interface IssueOptions {
  /** The code or refresh token that the client presents. */
  readonly presented: string;
  /** Everything else that the client has proven: requests with other proofs do not share tokens. */
  readonly proof: readonly (string | undefined)[];
  /** How long other requests get the same tokens; 0 issues tokens for each request. */
  readonly lifeMs: number;
  /** Whether the tokens of an earlier request are the response to this one. */
  isCurrent(tokens: IssuedTokens, atMs: number): boolean | Promise<boolean>;
  /** Uses the presented secret up after `begin`, unless an earlier request did. */
  issue(earlier: EarlierIssue | undefined, begin: (successor?: string) => Promise<void>): Promise<IssuedTokens>;
}

/** How long the other requests wait for the first one, which can have ended with its process. */
const MAX_ISSUE_MS = 10_000;
const POLL_MS = 25;

/**
 * Issues tokens once for all requests, of any replica, that present the same secret with the same proof: one request
 * issues, the others wait for it. What they share is encrypted under a key that is derived from the secret, of which
 * only a hash is stored (contract/tokens.md#refresh).
 */
export async function issueOnce(
  { presented, proof, lifeMs, isCurrent, issue }: IssueOptions,
  {
    keyValues,
    clock,
  }: { readonly keyValues: Pick<KeyValueStore, 'get' | 'set' | 'delete' | 'increment'>; readonly clock: Clock },
): Promise<IssuedTokens> {
  if (lifeMs === 0) return issue(undefined, async () => undefined);
  const context = JSON.stringify(proof);
  const name = hashToken(`${presented} ${context}`);
  const [key, lockKey] = [`oidc:issued:${name}`, `oidc:issuing:${name}`];
  const cipher = createTextCipher(presented, 'issued tokens');
  const load = async (): Promise<EarlierIssue | undefined> => {
    const stored = await keyValues.get(key);
    const text = stored === undefined ? undefined : cipher.decrypt(Buffer.from(stored, 'base64'), context);
    return text === undefined ? undefined : (JSON.parse(text) as EarlierIssue);
  };
  const save = (issued: EarlierIssue): Promise<void> =>
    keyValues.set(key, cipher.encrypt(JSON.stringify(issued), context).toString('base64'), lifeMs);
  for (;;) {
    const earlier = await load();
    if (earlier?.tokens !== undefined && (await isCurrent(earlier.tokens, earlier.atMs))) return earlier.tokens;
    if ((await keyValues.increment(lockKey, MAX_ISSUE_MS)) === 1) break;
    await sleep(POLL_MS);
  }
  try {
    // The request that had the lock may have ended since the look at its tokens.
    const earlier = await load();
    if (earlier?.tokens !== undefined && (await isCurrent(earlier.tokens, earlier.atMs))) return earlier.tokens;
    let { successor } = earlier ?? {};
    const tokens = await issue(earlier, (next) => {
      successor = next;
      return save({ successor, atMs: clock.now() });
    });
    await save({ successor, tokens, atMs: clock.now() });
    return tokens;
  } finally {
    await keyValues.delete(lockKey);
  }
}

/** Whether a code or refresh token was used so recently that the same client may send it again. */
export const isRecent = (
  consumed: number | undefined,
  { clock, reuseIntervalMs }: { readonly clock: Clock; readonly reuseIntervalMs: number },
): boolean => consumed !== undefined && clock.now() - consumed * 1000 < reuseIntervalMs;
