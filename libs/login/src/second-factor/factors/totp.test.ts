import { TOTP } from 'otpauth';
import { newTotpSecret, totpStep, totpUri } from './totp.ts';

/** The secret of RFC 6238, appendix B. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

test.each([
  [59_000, '287082', 1],
  [1_111_111_109_000, '081804', 37_037_036],
  [20_000_000_000_000, '353130', 666_666_666],
])('at %d ms the code of RFC 6238 is %s', (now, code, step) => {
  expect(totpStep(SECRET, code, now)).toBe(step);
});

test('codes of the steps before and after are accepted with their step, others are not', () => {
  const steps = [-60_000, -30_000, 0, 30_000, 60_000].map((late) => totpStep(SECRET, '287082', 59_000 + late));
  expect(steps).toEqual([undefined, 1, 1, 1, undefined]);
  for (const code of ['28708', '2870820', '', 'abcdef', '287083'])
    expect(totpStep(SECRET, code, 59_000)).toBeUndefined();
});

test('each secret is new and has 160 bits', () => {
  const [one, other] = [newTotpSecret(), newTotpSecret()];
  expect(one).toMatch(/^[A-Z2-7]{32}$/);
  expect(other).not.toBe(one);
});

test('the URI names the installation and the user, with any characters', () => {
  const uri = totpUri(SECRET, 'Acme & Söhne', 'anna:x?secret=A');
  expect(uri).toMatch(/^otpauth:\/\/totp\//);
  expect(new URL(uri).searchParams.getAll('secret')).toEqual([SECRET]);
  expect(new URL(uri).searchParams.get('issuer')).toBe('Acme & Söhne');
  expect(new TOTP({ secret: SECRET }).generate({ timestamp: 59_000 })).toBe('287082');
});
