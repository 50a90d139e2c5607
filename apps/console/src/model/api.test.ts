import { type GivenResponse, recordingClient, type Sent } from '../../test/page/recording-client.ts';
import { createApi, type Endpoint, endpointOf } from './api.ts';

const PATHS = { base: '/rest', entities: '/rest/entities', queries: '/rest/queries', services: '/rest/services' };

function apiWith(respond: (request: Sent) => GivenResponse, endpoints: Readonly<Record<string, string>> = {}) {
  const { client, sent } = recordingClient(respond);
  return { api: createApi({ connection: client.connection, settings: { endpoints } } as never), sent };
}

test.each<[Endpoint, string]>([
  ['rights', '/rest/rights'],
  ['clients', '/rest/clients'],
  ['apiKeys', '/rest/api-keys'],
  ['messages', '/rest/messages'],
  ['operations', '/rest/operations'],
  ['userSession', '/rest/user-session'],
])('%s is at %s below the base path', (endpoint, expected) => {
  expect(endpointOf({ settings: { endpoints: {} }, connection: { paths: PATHS } } as never, endpoint)).toBe(expected);
});

test('the server says where a part is: by its settings, and by the paths that the client knows', () => {
  const paths = { ...PATHS, base: '/api', userSession: '/me', messages: '/texts' };
  const settings = { endpoints: { rights: '/security/rights', userSession: '/of-no-use' } };
  const of = (endpoint: Endpoint) => endpointOf({ settings, connection: { paths } } as never, endpoint);
  expect([of('rights'), of('clients'), of('userSession'), of('messages')]).toEqual([
    ...['/security/rights', '/api/clients', '/me', '/texts'],
  ]);
});

test('parameters are encoded, and without one there is no question mark', async () => {
  const { api, sent } = apiWith(() => ({ body: [1] }), { rights: '/r' });
  expect(await api.get('rights', '/roles')).toEqual([1]);
  await api.get('rights', '/explanation', { username: 'a&b=c', id: 'Zoë #1' });
  expect(sent.map(({ path }) => path)).toEqual(['/r/roles', '/r/explanation?username=a%26b%3Dc&id=Zo%C3%AB+%231']);
});

test('a body is sent as JSON, null too, and none without a value', async () => {
  const { api, sent } = apiWith(() => ({}));
  await api.send('PUT', 'clients', '/a', { name: null });
  await api.send('POST', 'clients', '/a/secrets');
  expect(sent.map(({ method, body }) => [method, body])).toEqual([
    ['PUT', { name: null }],
    ['POST', undefined],
  ]);
});

test('a request that creates something is not sent again after a failure of the server, another one is', async () => {
  const attempts = async (method: 'POST' | 'PUT') => {
    let isFirst = true;
    const { api, sent } = apiWith(() => {
      const status = isFirst ? 503 : 200;
      isFirst = false;
      return { status, headers: { 'retry-after': '0' } };
    });
    const failure: unknown = await api.send(method, 'clients', '', {}).then(
      () => undefined,
      (error: unknown) => error,
    );
    return [sent.length, (failure as { readonly status?: number } | undefined)?.status];
  };
  expect(await attempts('POST')).toEqual([1, 503]);
  expect(await attempts('PUT')).toEqual([2, undefined]);
});

test('a signal ends a request', async () => {
  const { api } = apiWith(() => ({}));
  await expect(api.get('rights', '/roles', {}, AbortSignal.abort(new Error('The page is left')))).rejects.toThrow(
    'The page is left',
  );
});
