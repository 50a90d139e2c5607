import { createHash } from 'node:crypto';
import { createNameDigest } from './name-digest.ts';

const SECRET = 'fb0f4d8c2b6e4b4f9d7a1c0e5a3b2d19';

test('a digest is the same in all replicas, and another one with another secret', () => {
  const [one, other] = [createNameDigest(SECRET), createNameDigest(SECRET)];
  expect(one.of('anna')).toBe(other.of('anna'));
  expect(one.shortOf('anna')).toBe(one.of('anna').slice(0, 12));
  expect(createNameDigest(`${SECRET}x`).of('anna')).not.toBe(one.of('anna'));
  expect(one.of('bob')).not.toBe(one.of('anna'));
});

test('a digest cannot be made without the secret', () => {
  const hash = createHash('sha256').update('anna').digest('base64url');
  expect(createNameDigest(SECRET).of('anna')).not.toBe(hash);
  expect(hash.startsWith(createNameDigest(SECRET).shortOf('anna'))).toBe(false);
});
