import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { createFormReceiver } from './receive-form.ts';

/** A request whose body the test writes. */
function request(address = '1.1.1.1') {
  const stream = new PassThrough();
  return Object.assign(stream, {
    headers: { 'x-forwarded-for': address },
    socket: { remoteAddress: '127.0.0.1' },
    complete: false,
  }) as unknown as IncomingMessage & PassThrough;
}

const codeOf = (form: Promise<Buffer>): Promise<string> =>
  form.then(
    (body) => body.toString(),
    (error) => error.code,
  );

test('a form is received', async () => {
  const forms = createFormReceiver();
  const one = request();
  const received = codeOf(forms.receive(one, 100));
  one.end('a=1');
  expect(await received).toBe('a=1');
});

test('a form that takes too long is refused', async () => {
  const forms = createFormReceiver({ timeoutMs: 20, maxPerAddress: 2, graceMs: 0 });
  expect(await codeOf(forms.receive(request(), 100))).toBe('REQ_TOO_SLOW');
});

test('above the limit of an address the oldest form ends, and other addresses are not concerned', async () => {
  const forms = createFormReceiver({ timeoutMs: 60_000, maxPerAddress: 2, graceMs: 0 });
  const slow = [request(), request(), request(), request('2.2.2.2')];
  const received = slow.map((each) => codeOf(forms.receive(each, 100)));
  expect(await received[0]).toBe('REQ_TOO_SLOW');
  for (const each of slow.slice(1)) each.end('a=1');
  expect(await Promise.all(received.slice(1))).toEqual(['a=1', 'a=1', 'a=1']);
});

test('many forms of an address at the same moment are received, but not without a limit', async () => {
  const forms = createFormReceiver({ timeoutMs: 60_000, maxPerAddress: 2, graceMs: 60_000 });
  const burst = Array.from({ length: 9 }, () => request());
  const received = burst.map((each) => codeOf(forms.receive(each, 100)));
  for (const each of burst) each.end('a=1');
  expect(await Promise.all(received)).toEqual([...Array(8).fill('a=1'), 'REQ_TOO_MANY_REQUESTS']);
});
