import { headersToSend, joinRepeated } from './undici-headers.ts';

test('headers are sent in turn with their values, without the coding of the body', () => {
  const headers = { host: 'x', 'transfer-encoding': 'chunked', accept: '*/*', cookie: undefined };
  expect(headersToSend(headers, false)).toEqual(['host', 'x', 'accept', '*/*']);
});

test('the headers of a recorded trace are left to the instrumentation', () => {
  const headers = { host: 'x', traceparent: '00-1-2-01', tracestate: 'a=1', baggage: 'k=v' };
  expect(headersToSend(headers, true)).toEqual(['host', 'x']);
  expect(headersToSend(headers, false)).toEqual([
    ...['host', 'x', 'traceparent', '00-1-2-01'],
    ...['tracestate', 'a=1', 'baggage', 'k=v'],
  ]);
});

test('repeated headers of a response are joined, single ones keep the first value, cookies all', () => {
  const headers = {
    vary: ['Accept', 'Origin'] as unknown as string,
    etag: ['"1"', '"2"'] as unknown as string,
    'set-cookie': ['a=1', 'b=2'],
    'x-one': '1',
  };
  joinRepeated(headers);
  expect(headers).toEqual({ vary: 'Accept, Origin', etag: '"1"', 'set-cookie': ['a=1', 'b=2'], 'x-one': '1' });
});
