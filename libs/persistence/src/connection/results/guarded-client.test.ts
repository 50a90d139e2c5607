import { MessageCheck } from './guarded-client.ts';
import { MessageTooLargeError } from './message-errors.ts';

const message = (bodyBytes: number): Buffer => {
  const bytes = Buffer.alloc(bodyBytes + 5, 'D');
  bytes.writeUInt32BE(bodyBytes + 4, 1);
  return bytes;
};

/** The bytes in chunks of a size. */
function feed(limit: MessageCheck, bytes: Buffer, size: number): void {
  for (let at = 0; at < bytes.length; at += size) limit.check(bytes.subarray(at, at + size));
}

const sizes = [1, 2, 3, 4, 5, 6, 7, 16, 1_000];

test.each(sizes)('messages up to the limit pass, in chunks of %i bytes', (size) => {
  const bytes = Buffer.concat([message(0), message(96), message(1), message(50), message(0), message(96)]);
  expect(() => feed(new MessageCheck({ maxRowBytes: 100, maxResultBytes: 1_000 }), bytes, size)).not.toThrow();
});

test.each(sizes)('a longer one is found by its header, in chunks of %i bytes', (size) => {
  const bytes = Buffer.concat([message(3), message(96), message(97).subarray(0, 5)]);
  const limit = new MessageCheck({ maxRowBytes: 100, maxResultBytes: 1_000 });
  expect(() => feed(limit, bytes, size)).toThrow(MessageTooLargeError);
});

test.each(sizes)('the rows of one result have a limit together, in chunks of %i bytes', (size) => {
  const limits = { maxRowBytes: 100, maxResultBytes: 300 };
  const rows = (count: number): Buffer => Buffer.concat(Array.from({ length: count }, () => message(96)));
  const complete = Buffer.from([0x43, 0, 0, 0, 4]);
  expect(() => feed(new MessageCheck(limits), Buffer.concat([rows(3), complete, rows(3)]), size)).not.toThrow();
  expect(() => feed(new MessageCheck(limits), rows(4), size)).toThrow(
    expect.objectContaining({ code: 'LINTEL_RESULT_SIZE' }),
  );
});
