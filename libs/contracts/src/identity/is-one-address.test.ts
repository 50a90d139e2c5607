import { isOneAddress } from './is-one-address.ts';

test.each([
  ['ada@example.com', true],
  ['ada.l+x%y!z@sub.example.com', true],
  ['ädä@exämple.com', true],
  ['ada', false],
  ['@example.com', false],
  ['ada@', false],
  ['ada@evil.example@example.com', false],
  ['ada@example.com, eve@evil.example', false],
  ['Ada <ada@example.com>', false],
  ['"ada@evil.example"@example.com', false],
  ['@evil.example:ada@example.com', false],
  ['friends:ada@example.com;', false],
  ['ada(eve)@example.com', false],
  ['ada@[127.0.0.1]', false],
  ['ada\0@example.com', false],
  ['ada\u200b@example.com', false],
  ['ada@example.com\nBcc: eve@evil.example', false],
])('%j is one address: %s', (text, isOne) => {
  expect(isOneAddress(text)).toBe(isOne);
});
