import { clientAddressOf } from './client-address.ts';
import { createForwardingCheck, FORWARDING_PROOF_HEADER, forwardingProofOf } from './forwarding-proof.ts';

const check = createForwardingCheck('secret of the platform');

/** The headers of a request after the check, and the address that counts. */
function checked(headers: Record<string, string | string[]>) {
  const request = { headers: { ...headers }, socket: { remoteAddress: '192.0.2.1' } } as never;
  check(request);
  return [clientAddressOf(request), Object.keys((request as { headers: object }).headers)];
}

const SENT = { 'x-forwarded-for': '198.51.100.7', 'x-forwarded-host': 'evil.test', accept: '*/*' };

test('forwarding headers of the gateway count, and its proof goes no further', () => {
  const proof = forwardingProofOf('secret of the platform');
  expect(checked({ ...SENT, [FORWARDING_PROOF_HEADER]: proof })).toEqual(['198.51.100.7', Object.keys(SENT)]);
});

test.each<[string, Record<string, string | string[]>]>([
  ['without a proof', {}],
  ['with the proof of another secret', { [FORWARDING_PROOF_HEADER]: forwardingProofOf('another') }],
  ['with the secret itself', { [FORWARDING_PROOF_HEADER]: 'secret of the platform' }],
  ['with two proofs', { [FORWARDING_PROOF_HEADER]: [forwardingProofOf('secret of the platform'), 'x'] }],
  ['with other headers of proxies', { forwarded: 'for=198.51.100.7', 'x-real-ip': '198.51.100.7' }],
])('forwarding headers %s are removed', (_case, headers) => {
  expect(checked({ ...SENT, ...headers })).toEqual(['192.0.2.1', ['accept']]);
});
