import { type GivenResponse, recordingClient, type Sent } from '../../../../../test/page/recording-client.ts';
import { rehearseRows } from './rehearse-rows.ts';

const rowsUpTo = (count: number) => Array.from({ length: count }, (_, at) => ({ id: `${at + 1}` }));
const change = (id: unknown) => ({ entity: 'Order', id, change: 'deleted', attributes: [] });

async function rehearsed(
  respond: (request: Sent) => GivenResponse,
  ...[rows, work]: readonly [readonly { readonly id: string }[], 'delete' | 'purge' | 'restore']
) {
  const { client, sent } = recordingClient(respond);
  return { result: await rehearseRows(client, 'Order', rows, work), sent };
}

const accept = ({ body }: Sent): GivenResponse => ({
  body: { changes: (Array.isArray(body) ? body : [body]).map(change), events: [] },
});
const refuse: GivenResponse = { status: 409, body: { error: 'Conflict', details: 'It is referred to' } };

test('rows are rehearsed in as few requests as they are written in, and nothing is stored', async () => {
  const { result, sent } = await rehearsed(accept, rowsUpTo(120), 'delete');
  expect(sent.map(({ method, headers }) => [method, headers['prefer']])).toEqual(
    Array.from({ length: 3 }, () => ['DELETE', expect.stringContaining('tx=rollback')]),
  );
  expect([result.changes.length, result.refusals, result.isPartial]).toEqual([120, [], false]);
});

test('rows of the bin are removed from the bin', async () => {
  const { sent } = await rehearsed(accept, rowsUpTo(2), 'purge');
  expect(sent.map(({ path }) => path)).toEqual([expect.stringContaining('deleted=only')]);
});

test('each restoration is a request', async () => {
  const { sent } = await rehearsed(accept, rowsUpTo(3), 'restore');
  expect(sent.map(({ method, path }) => [method, path.split('?')[0]])).toEqual(
    ['1', '2', '3'].map((id) => ['POST', `/rest/entities/Order/${id}/restore`]),
  );
});

test.each([
  ['delete', 500, false],
  ['delete', 501, true],
  ['restore', 50, false],
  ['restore', 51, true],
] as const)('to %s %i rows the rehearsal is partial: %s', async (work, count, isPartial) => {
  const { result, sent } = await rehearsed(accept, rowsUpTo(count), work);
  expect([result.isPartial, sent.length]).toEqual([isPartial, work === 'restore' ? 50 : 10]);
});

test('the first refusal is shown, and the changes of the accepted requests', async () => {
  let requests = 0;
  const respond = (request: Sent): GivenResponse => {
    requests += 1;
    return requests === 2 ? accept(request) : refuse;
  };
  const { result } = await rehearsed(respond, rowsUpTo(130), 'delete');
  expect([result.changes.length, result.refusals.length]).toEqual([50, 1]);
  expect(result.refusals[0]).toMatchObject({ status: 409, details: 'It is referred to' });
});

test('the rehearsal stops when the login ends', async () => {
  const respond = (): GivenResponse => ({ status: 401, body: { error: 'Unauthorized' } });
  await expect(rehearsed(respond, rowsUpTo(2), 'delete')).rejects.toMatchObject({ status: 401 });
});
