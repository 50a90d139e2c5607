import type { Peer } from './peer.ts';
import { PEER_CALLS } from './peer-calls.ts';
import type { StartedPeer } from './start-peer.ts';

/** What the response to a read must contain: orders of the data set by their numbers, names of products, and states. */
const EXPECTED: Readonly<
  Record<string, { readonly orders: number; readonly products?: number; readonly states?: number }>
> = {
  R1: { orders: 1 },
  R2: { orders: 50 },
  R3: { orders: 20, products: 60 },
  R4: { orders: 20 },
  // 99 months with four states.
  A1: { orders: 0, states: 396 },
  A2: { orders: 150 },
};

const ORDER_NUMBER = /"B-\d{7}"/g;
const PRODUCT_NAME = /"Product \d+"/g;
const STATE = /"status":/g;

/**
 * Sends the requests of an operation once, and once without a token.
 *
 * @throws Error if a peer does less than the operation asks for, or serves callers without a token
 */
export async function verifyPeer(peer: Peer, { url, token }: StartedPeer, operation: string): Promise<void> {
  const call = PEER_CALLS[peer.name][operation]?.();
  if (call === undefined) return;
  const send = (headers: Readonly<Record<string, string>>): Promise<Response> =>
    fetch(`${url}${call.path}`, {
      method: call.method,
      headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
      ...(call.body === undefined ? {} : { body: call.body }),
    });
  const fail = (problem: string): never => {
    throw new Error(`${peer.about}, ${operation}: ${problem}`);
  };
  const refused = await send({});
  const refusal = await refused.text();
  if (refused.ok && !refusal.includes('"errors"')) fail(`a caller without a token is served: ${refusal.slice(0, 200)}`);
  const response = await send({ authorization: `Bearer ${token}` });
  const text = await response.text();
  if (!response.ok || text.includes('"errors"')) fail(`${response.status} ${text.slice(0, 500)}`);
  const expected = EXPECTED[operation];
  if (expected === undefined) return;
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  const { orders, products = 0, states = count(STATE) } = expected;
  const found = [count(ORDER_NUMBER), count(PRODUCT_NAME), count(STATE)];
  if (found.join() !== [orders, products, states].join())
    fail(`${found.join(', ')} instead of ${orders} orders, ${products} products and ${states} states`);
}
