import { removeHopByHop } from './hop-by-hop.ts';
import { fromUpstreamError, UpstreamTimeout } from './upstream-error.ts';

test('hop-by-hop headers are removed, with those that Connection names, but no others', () => {
  const headers = {
    connection: 'Keep-Alive, X-Private, Authorization, Content-Length',
    'keep-alive': 'timeout=5',
    te: 'trailers',
    upgrade: 'websocket',
    'x-private': '1',
    authorization: 'Bearer a',
    'content-length': '3',
    accept: '*/*',
  };
  removeHopByHop(headers);
  expect(Object.keys(headers).sort()).toEqual(['accept', 'authorization', 'connection', 'content-length']);
});

test.each([
  ['ECONNREFUSED', 503],
  ['ENOTFOUND', 503],
  ['ECONNRESET', 502],
  ['EPIPE', 502],
  ['HPE_INVALID_CONSTANT', 502],
])('the socket error %s is %i', (code, status) => {
  expect(fromUpstreamError(Object.assign(new Error('x'), { code })).status).toBe(status);
});

test('a late connection returns 503, a late response 504, a name whose every address refuses 503', () => {
  expect(fromUpstreamError(new UpstreamTimeout('connect', 1)).status).toBe(503);
  expect(fromUpstreamError(new UpstreamTimeout('response', 1)).status).toBe(504);
  const refused = Object.assign(new Error('x'), { code: 'ECONNREFUSED' });
  expect(fromUpstreamError(new AggregateError([refused, refused])).status).toBe(503);
});
