import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { PlatformError } from '@lintel/errors';
import { eventually } from '@lintel/testkit';
import {
  createClient,
  describeStorages,
  MAX_BYTES,
  type Subject,
  startService,
  type TestResponse,
} from '../../test/files-fixture.ts';

const BOUNDARY = 'b';
/** One part of a form. */
const part = (disposition: string, content = 'abc', more = ''): string =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n${more}\r\n${content}\r\n`;
const END = `--${BOUNDARY}--\r\n`;
const FILE = 'name="file"; filename="a.txt"';

/** Refused forms: description, body, status and details of the response. */
const REFUSED: readonly (readonly [what: string, body: string, status: number, details: RegExp])[] = [
  ['a name of 256 characters', part(`name="file"; filename="${'x'.repeat(256)}"`) + END, 400, /longer than 255/],
  ['a name of 70,000 characters', part(`name="file"; filename="${'x'.repeat(70_000)}"`) + END, 400, /longer than 255/],
  ['a control character in the name', part('name="file"; filename="a\u0001b"') + END, 400, /control characters/],
  ["an encoded NUL in the name (filename*=utf-8'')", part('name="file"; filename*=utf-8\'\'%00') + END, 400, /control/],
  [
    'such a name, with megabytes after it',
    part(`name="file"; filename="${'x'.repeat(256)}"`, 'y'.repeat(3e6)) + END,
    400,
    /255/,
  ],
  [
    'such a name, cut inside of its content',
    `${part(`name="file"; filename="${'x'.repeat(256)}"`, 'y'.repeat(9e4))}`,
    400,
    /255/,
  ],
  ['no part named file', part('name="other"; filename="a"') + END, 400, /no part named "file"/],
  ['fields only', part('name="a"').repeat(50) + END, 400, /no part named "file"/],
  [
    'another file part, cut inside of its content',
    part('name="other"; filename="a"', 'y'.repeat(9e4)),
    400,
    /malformed/,
  ],
  ['a field, cut inside of its content', part('name="other"', 'y'.repeat(9e4)), 400, /malformed/],
  ['a field that is cut after the file', part(FILE) + part('name="other"').slice(0, -2), 400, /malformed/],
  ['a second file part that is cut', part(FILE) + part(FILE, 'y'.repeat(9e4)), 400, /malformed/],
  ['part headers of 200 KB', part(FILE, 'abc', `X-A: ${'y'.repeat(200_000)}\r\n`).slice(0, -2), 400, /malformed/],
  ['part headers without an end', `--b\r\nContent-Disposition: form-data; ${FILE}\r\nX-A: b`, 400, /malformed/],
  ['a closing delimiter alone', END, 400, /no part named "file"|malformed/],
  ['delimiters after the closing one', `${END}--b\r\n--b\r\n--b--\r\n`, 400, /no part named "file"|malformed/],
  ['a file larger than allowed', part(FILE, 'y'.repeat(MAX_BYTES + 1)) + END, 413, /larger than/],
  [
    'more parts than allowed',
    part('name="a"; filename="b"').repeat(3_000) + part(FILE) + END,
    400,
    /more than 200 parts/,
  ],
  ['more fields than allowed', part('name="a"').repeat(150) + part(FILE) + END, 400, /more than 100 fields/],
  [
    'more parts than allowed after the file',
    part(FILE) + part('name="a"; filename="b"').repeat(3_000) + END,
    400,
    /more than 200 parts/,
  ],
];

/** Unusual but valid forms, and the name of the stored file. */
const TAKEN: readonly (readonly [what: string, body: string, name: string])[] = [
  ['a second part named file', part(FILE) + part('name="file"; filename="b.txt"') + END, 'a.txt'],
  ['part headers of 70 KB', part(FILE, 'abc', `X-A: ${'y'.repeat(70_000)}\r\n`) + END, 'a.txt'],
  ['three thousand part headers', part(FILE, 'abc', 'X-A: b\r\n'.repeat(3_000)) + END, 'a.txt'],
  ['a nested form as the content', part(FILE, 'abc', 'Content-Type: multipart/mixed; boundary=c\r\n') + END, 'a.txt'],
  ['an unknown charset', part(FILE, 'abc', 'Content-Type: text/plain; charset=none\r\n') + END, 'a.txt'],
  [
    'an unknown charset of a field',
    part('name="a"', 'ä', 'Content-Type: text/plain; charset=x-y\r\n') + part(FILE) + END,
    'a.txt',
  ],
  ['a name in an unknown charset', part('name="file"; filename*=klingon\'\'a.txt') + END, 'a.txt'],
  ['a name with half of an escape', part('name="file"; filename*=utf-8\'\'a%zz.txt') + END, 'a%zz.txt'],
  ['a name with a folder', part('name="file"; filename="../../etc/passwd"') + END, 'passwd'],
  ['text before the first part', `preamble\r\n${part(FILE)}${END}`, 'a.txt'],
  ['a part without a name', part('filename="x"') + part(FILE) + END, 'a.txt'],
  ['a part without headers', `--b\r\n\r\nabc\r\n${part(FILE)}${END}`, 'a.txt'],
];

describeStorages('uploads that fail, kept in the %s storage', (service, kind) => {
  let before: number;
  beforeEach(async () => {
    before = await service.subject.everything();
  });
  // After each failure nothing is stored, and the next upload of the same process succeeds.
  afterEach(async () => {
    expect((await upload('after.txt', 'after')).status).toBe(201);
    if (service.subject.folder !== undefined)
      await eventually(async () => expect(await readdir(join(service.subject.folder ?? '', '.incoming'))).toEqual([]));
  });

  const { call, upload } = createClient(() => service.server.url);
  const send = (body: string | Buffer, headers: Record<string, string> = {}): Promise<TestResponse> =>
    call('/rest/files', {
      method: 'POST',
      body,
      headers: { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`, ...headers },
    });

  test.each(REFUSED)('a form with %s is refused', async (_, body, status, details) => {
    const response = await send(body);
    expect([response.status, response.json()]).toEqual([
      status,
      { error: 'File upload failed', details: expect.stringMatching(details) },
    ]);
    expect(await service.subject.everything()).toBe(before);
  });

  test.each(TAKEN)('a form with %s is taken', async (_, body, name) => {
    const response = await send(body);
    expect([response.status, response.json().name]).toEqual([201, name]);
    expect(await service.subject.everything()).toBe(before + 1);
  });

  test('a form whose digest is wrong is refused, its file small or large', async () => {
    for (const length of [3, 7_000_000]) {
      const response = await send(part(FILE, 'y'.repeat(length)) + END, {
        'Content-Digest': `sha-256=:${createHash('sha256').update('other').digest('base64')}:`,
      });
      expect([response.status, response.json().details]).toEqual([400, expect.stringContaining('Content-Digest')]);
    }
    expect(await service.subject.everything()).toBe(before);
  });

  test('any cut of a form, and any byte of it changed, is a response or a taken file', async () => {
    const whole = Buffer.from(
      part('name="x"', 'before') + part(FILE, 'content') + part('name="y"; filename="z"') + END,
    );
    const bodies = Array.from(whole, (_, at) => whole.subarray(0, at)).concat(
      Array.from(whole, (_, at) => {
        const changed = Buffer.from(whole);
        changed[at] = (at * 7) % 256;
        return changed;
      }),
    );
    const statuses = new Set<number>();
    for (const body of bodies) statuses.add((await send(body)).status);
    expect([...statuses].sort()).toEqual([201, 400]);
  });

  describe.each([
    ['raw', `POST /rest/files?name=a.bin HTTP/1.1\r\nContent-Type: application/octet-stream`, 'start'],
    ['form', `POST /rest/files HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=b`, part(FILE, '').slice(0, -2)],
    [
      'form with a bad name',
      `POST /rest/files HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=b`,
      part(`name="file"; filename="${'x'.repeat(300)}"`, '').slice(0, -2),
    ],
  ])('the client of a %s upload', (_, head, start) => {
    const open = async (framing: string): Promise<Socket> => {
      const socket = connect(service.server.port, '127.0.0.1');
      socket.on('error', () => {});
      await once(socket, 'connect');
      socket.write(`${head}\r\nHost: a\r\nAuthorization: Bearer user\r\n${framing}\r\n\r\n`);
      return socket;
    };

    test.each([
      ['with a reset', (socket: Socket) => socket.resetAndDestroy()],
      ['with an end', (socket: Socket) => socket.end()],
    ])('that leaves %s leaves nothing', async (_how, leave) => {
      for (const bytes of [0, 10, 100_000, 6_000_000]) {
        const socket = await open('Content-Length: 20000000');
        socket.write(start);
        if (bytes > 0) socket.write(randomBytes(bytes));
        await new Promise((resolve) => setTimeout(resolve, 20));
        leave(socket);
        if (!socket.closed) await once(socket.resume(), 'close');
      }
      await eventually(async () => expect(await service.subject.everything()).toBe(before));
    });

    test('that sends a chunk without a length loses its connection', async () => {
      const socket = await open('Transfer-Encoding: chunked');
      socket.write(`${start.length.toString(16)}\r\n${start}\r\nzz\r\nrest`);
      await once(socket.resume(), 'close');
      await eventually(async () => expect(await service.subject.everything()).toBe(before));
    });
  });

  test('a storage that fails returns 503, for any content', async () => {
    const failing = await startService(
      {
        ...service.other.store,
        write: kind === 'S3' ? failAtOnce : failLater,
        close: async () => {},
      } as Subject['store'],
      service.other.store,
    );
    const { call: callFailing, upload: uploadTo } = createClient(() => failing.url);
    try {
      const headers = { 'Content-Type': 'multipart/form-data; boundary=b' };
      for (const length of [3, 3_000_000]) {
        const body = part(FILE, 'y'.repeat(length)) + END;
        expect((await callFailing('/rest/files', { method: 'POST', body, headers })).status).toBe(503);
        expect((await uploadTo('a.txt', 'y'.repeat(length))).status).toBe(503);
      }
    } finally {
      await failing.close();
    }
  });
});

/** Refuses the write without reading the content or listening to it. */
const failAtOnce: Subject['store']['write'] = () =>
  Promise.reject(new PlatformError('FILE_STORAGE_UNAVAILABLE', 'none'));

/** Refuses in the middle of the content. */
const failLater: Subject['store']['write'] = async (_key, content) => {
  for await (const _chunk of content) break;
  throw new PlatformError('FILE_STORAGE_UNAVAILABLE', 'none');
};
