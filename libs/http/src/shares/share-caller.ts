import type { IncomingMessage } from 'node:http';
import { ANONYMOUS, type Principal } from '@lintel/contracts';
import { clientAddressOf } from '../requests/addresses/client-address.ts';
import { networkOf } from '../requests/addresses/network-of.ts';

/**
 * The caller of a request, for a fair queue: the user, and of anonymous calls the address that the gateway forwards.
 * Only the gateway gets tokens of anonymous calls, so no other client can choose the address.
 */
export const shareCallerOf = (request: IncomingMessage, principal: Pick<Principal, 'username'>): string =>
  principal.username === ANONYMOUS ? `address:${networkOf(clientAddressOf(request))}` : `user:${principal.username}`;
