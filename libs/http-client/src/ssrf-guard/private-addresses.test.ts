import { isPrivateAddress } from './private-addresses.ts';

// Asserts contract/report-templates.md#safety.
test.each([
  '127.0.0.1',
  '10.1.2.3',
  '172.31.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '0.0.0.0',
  '::1',
  '::127.0.0.1',
  'fd00::1',
  'fe80::1',
  'fec0::1',
  '::ffff:10.0.0.1',
  '::ffff:0:10.0.0.1',
  '64:ff9b::10.0.0.1',
  '5f00::1',
])('%s is private', (address) => expect(isPrivateAddress(address)).toBe(true));

test.each(['8.8.8.8', '172.32.0.1', '2606:4700::1', '::ffff:8.8.8.8'])('%s is public', (address) =>
  expect(isPrivateAddress(address)).toBe(false),
);
