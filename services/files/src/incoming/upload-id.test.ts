import { randomUUID } from 'node:crypto';
import {
  expiryOf,
  formatUploadId,
  parseUploadId,
  unfinishedKeyOf,
  unfinishedPrefixOf,
  uploadKeyOf,
} from './upload-id.ts';

// Asserts contract/files.md#resumable.
test('an id has the storage and the time of expiry', () => {
  const key = uploadKeyOf(Date.parse('2026-11-26T00:00:00.001Z'), randomUUID());
  expect(parseUploadId(formatUploadId({ storage: 's3-archive.2', key }))).toEqual({ storage: 's3-archive.2', key });
  expect(expiryOf(key)).toBe(Date.parse('2026-11-26T00:00:01Z'));
});

test('the record that counts an unfinished upload expires with it, and is no upload', () => {
  const upload = uploadKeyOf(Date.parse('2026-11-26T00:00:00Z'), randomUUID());
  const key = unfinishedKeyOf('user:ann', upload);
  expect([expiryOf(key), parseUploadId(`fs~${key}`)]).toEqual([expiryOf(upload), undefined]);
  expect(key.startsWith(unfinishedPrefixOf('user:ann'))).toBe(true);
  expect(key.startsWith(unfinishedPrefixOf('user:bob'))).toBe(false);
});

test.each(['', '~', 'fs~', 'fs~../../x', `fs~t0-${randomUUID()}/x`, `fs~t0-${randomUUID()}~x`, randomUUID()])(
  '%j is no id',
  (text) => {
    expect(parseUploadId(text)).toBeUndefined();
  },
);
