import { NetworkError, RestError } from '@lintel/client';
import { type RowProgress, runOnRows } from './run-on-rows.ts';

const refusal = new RestError({
  status: 409,
  code: 'DATA_CONFLICT',
  error: 'Referential integrity violation',
  details: '',
  body: {},
  traceId: undefined,
  retryAfterMs: undefined,
});
const rows = Array.from({ length: 120 }, (_, id) => ({ id, _instanceName: `row ${id}` }));
const options = (signal = new AbortController().signal) => {
  const reports: RowProgress[] = [];
  return { reports, options: { signal, onProgress: (progress: RowProgress) => reports.push(progress) } };
};

test('rows are written together', async () => {
  const requests: number[] = [];
  const { options: run } = options();
  const many = async (chunk: readonly object[]) => requests.push(chunk.length);
  expect(await runOnRows(rows, { many, one: () => Promise.reject(new Error('never')) }, run)).toEqual({
    done: 120,
    refused: 0,
    refusals: [],
  });
  expect(requests).toEqual([50, 50, 20]);
});

test('where a request is refused its rows are written one by one, and refusals are named', async () => {
  const { options: run, reports } = options();
  const isBad = ({ id }: { readonly id?: unknown }) => id === 3 || id === 119;
  const progress = await runOnRows(
    rows,
    {
      many: (chunk) => (chunk.some(isBad) ? Promise.reject(refusal) : Promise.resolve()),
      one: (row) => (isBad(row) ? Promise.reject(refusal) : Promise.resolve()),
    },
    run,
  );
  expect(progress).toEqual({
    done: 118,
    refused: 2,
    refusals: [
      { key: '3', name: 'row 3', error: refusal },
      { key: '119', name: 'row 119', error: refusal },
    ],
  });
  expect(reports.at(-1)).toEqual(progress);
});

test('without a request for several rows they are written one by one', async () => {
  const { options: run } = options();
  const ids: unknown[] = [];
  const one = async ({ id }: { readonly id?: unknown }) => (id === 1 ? Promise.reject(refusal) : ids.push(id));
  const progress = await runOnRows(rows.slice(0, 3), { one }, run);
  expect([ids, progress.done, progress.refusals]).toEqual([[0, 2], 2, [{ key: '1', name: 'row 1', error: refusal }]]);
});

test('what is no refusal of a row ends the work', async () => {
  const { options: run, reports } = options();
  const failure = new NetworkError('PATCH /rest');
  const many = (chunk: readonly { readonly id?: unknown }[]) =>
    chunk[0]?.id === 50 ? Promise.reject(failure) : Promise.resolve();
  await expect(runOnRows(rows, { many, one: () => Promise.resolve() }, run)).rejects.toBe(failure);
  expect(reports).toEqual([{ done: 50, refused: 0, refusals: [] }]);
});

test('the signal ends the work after the request that is in progress', async () => {
  const leaving = new AbortController();
  const { options: run } = options(leaving.signal);
  const many = async () => leaving.abort();
  expect(await runOnRows(rows, { many, one: () => Promise.resolve() }, run)).toMatchObject({ done: 50 });
});
