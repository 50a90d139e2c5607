import { randomUUID } from 'node:crypto';
import { expiryOf, formatUploadId, parseUploadId, uploadKeyOf } from './upload-id.ts';

test('an id has the storage and the time of expiry', () => {
  const key = uploadKeyOf(Date.parse('2026-11-26T00:00:00.001Z'), randomUUID());
  expect(parseUploadId(formatUploadId({ storage: 's3-archive.2', key }))).toEqual({ storage: 's3-archive.2', key });
  expect(expiryOf(key)).toBe(Date.parse('2026-11-26T00:00:01Z'));
});

test.each(['', '~', 'fs~', 'fs~../../x', `fs~t0-${randomUUID()}/x`, `fs~t0-${randomUUID()}~x`, randomUUID()])(
  '%j is no id',
  (text) => {
    expect(parseUploadId(text)).toBeUndefined();
  },
);
