import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ANONYMOUS, type Principal } from '@lintel/contracts';
import { createTransferLimits } from './transfer-limits.ts';

const ANONYMOUS_CALLER = { kind: 'anonymous', username: ANONYMOUS } as Principal;
const from = (address: string): IncomingMessage =>
  ({ headers: { 'x-forwarded-for': address }, socket: {} }) as unknown as IncomingMessage;
const response = (): ServerResponse => new EventEmitter() as ServerResponse;

test('anonymous transfers are counted by address, of IPv6 by network', () => {
  const limits = createTransferLimits({ uploads: 1, downloads: 1 });
  const begin = (address: string) => limits.begin('download', from(address), response(), ANONYMOUS_CALLER);
  begin('2001:db8:1:2::1');
  expect(() => begin('2001:db8:1:2:ffff::2')).toThrow(expect.objectContaining({ code: 'REQ_TOO_MANY_REQUESTS' }));
  begin('2001:db8:1:3::1');
  begin('192.0.2.1');
  expect(() => begin('::ffff:192.0.2.1')).toThrow(expect.objectContaining({ code: 'REQ_TOO_MANY_REQUESTS' }));
  begin('192.0.2.2');
});
