import { DEFAULT_PATHS, type Paths } from './connection/paths.ts';
import { createClient } from './create-client.ts';
import type { FetchLike } from './platform.ts';

/** A client with these paths, and the paths of its requests. */
function clientWith(paths: Paths) {
  const sent: string[] = [];
  const fetch: FetchLike = async (url, { headers }) => {
    sent.push(new URL(url).pathname);
    const isRun = headers['prefer'] === 'respond-async';
    if (url.endsWith('/tickets')) return Response.json({ url: '/rest/files?fileRef=f&ticket=t' }, { status: 201 });
    return Response.json({}, isRun ? { headers: { location: '/rest/reports/runs/r1' } } : {});
  };
  return { client: createClient({ baseUrl: 'http://server', fetch }, { paths }), sent };
}

/** One request to each part, and its path. */
async function pathsOf(paths: Paths): Promise<readonly string[]> {
  const { client, sent } = clientWith(paths);
  await client.metadata.entities();
  await client.metadata.entity('E', { details: true });
  await client.messages.enums();
  await client.user.info();
  await client.user.permissions();
  await client.user.setLocale('de');
  await client.files.upload('x');
  await client.files.download('f');
  sent.push(new URL(client.files.url('f')).pathname);
  const leaving = new AbortController();
  const changes = client.changes('E', { signal: leaving.signal, onConnect: () => leaving.abort() });
  await changes.next();
  await client.reports.list();
  await client.reports.run('c');
  await (await client.reports.start('c')).state();
  return sent;
}

test('the address with a ticket is for one request, by its path or its whole address', async () => {
  const bodies: unknown[] = [];
  const fetch: FetchLike = async (url, { method, body }) => {
    bodies.push([method, url, JSON.parse(String(body))]);
    return Response.json({ url: '/rest/files?fileRef=f&ticket=t' }, { status: 201 });
  };
  const client = createClient({ baseUrl: 'http://server/app/', fetch });
  const asked = ['POST', 'http://server/app/rest/tickets', { url: '/rest/files?fileRef=f' }];
  for (const url of ['/rest/files?fileRef=f', client.files.url('f')])
    expect(await client.ticketUrl(url)).toBe('http://server/app/rest/files?fileRef=f&ticket=t');
  await client.ticketUrl('/rest/files?fileRef=f', { method: 'HEAD' });
  expect(bodies).toEqual([asked, asked, [...asked.slice(0, 2), { url: '/rest/files?fileRef=f', method: 'HEAD' }]]);
});

const REPORTS = [
  '/rest/reports/report',
  '/rest/reports/run/code/c',
  '/rest/reports/run/code/c',
  '/rest/reports/runs/r1',
];

test('parts have their usual paths below the base; reports have a fixed one', async () => {
  expect(await pathsOf({ ...DEFAULT_PATHS, base: '/api' })).toEqual([
    '/api/metadata/entities',
    '/api/metadata/entities/E',
    '/api/messages/enums',
    '/api/userInfo',
    '/api/permissions',
    '/api/user-session/locale',
    '/api/files',
    '/api/files',
    '/api/files',
    '/api/changes/E',
    ...REPORTS,
  ]);
});

test('parts have the paths that the server is configured with', async () => {
  const paths: Paths = {
    ...DEFAULT_PATHS,
    metadata: '/api/m',
    messages: '/api/t',
    userInfo: '/api/me',
    permissions: '/api/p',
    userSession: '/api/s',
    files: '/api/f',
    changes: '/api/c',
  };
  expect(await pathsOf(paths)).toEqual([
    '/api/m/entities',
    '/api/m/entities/E',
    '/api/t/enums',
    '/api/me',
    '/api/p',
    '/api/s/locale',
    '/api/f',
    '/api/f',
    '/api/f',
    '/api/c/E',
    ...REPORTS,
  ]);
});
