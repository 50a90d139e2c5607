import { recordingClient } from '../../../../../test/page/recording-client.ts';
import { readSelected } from './read-selected.ts';

/** Ids that a request asks for. */
const idsIn = (body: unknown): readonly unknown[] =>
  (body as { readonly filter: { readonly conditions: readonly { readonly value: readonly unknown[] }[] } }).filter
    .conditions[0]?.value ?? [];

test('selected rows are read again by their ids, in the order of the selection, without those that are gone', async () => {
  const { client, sent } = recordingClient(({ body }) => ({
    body: idsIn(body)
      .filter((id) => id !== 'a2' && id !== 'a200')
      .map((id) => ({ _entityName: 'Order', id, number: `number of ${String(id)}` }))
      .reverse(),
  }));
  const ids = Array.from({ length: 205 }, (_, at) => `a${at + 1}`);
  const selected = ids.map((id) => ({ id, number: 'as it was' }));
  const { signal } = new AbortController();
  const rows = await Array.fromAsync(
    readSelected(client, 'Order', selected, { fetchPlan: { number: true }, dynamicAttributes: true, signal }),
  );
  expect(rows.map(({ number }) => number)).toEqual(
    ids.filter((id) => id !== 'a2' && id !== 'a200').map((id) => `number of ${id}`),
  );
  expect(sent.map(({ method, body }) => [method, idsIn(body).length])).toEqual([
    ['POST', 100],
    ['POST', 100],
    ['POST', 5],
  ]);
  expect(sent[0]?.body).toMatchObject({ dynamicAttributes: true, filter: { conditions: [{ operator: 'in' }] } });
});

test('rows are known by ids of several attributes and by numbers', async () => {
  const stored = [{ id: { b: 2, a: 1 } }, { id: 7 }, { id: '7' }];
  const { client } = recordingClient(() => ({ body: stored }));
  const options = { fetchPlan: {}, signal: new AbortController().signal };
  const selected = [{ id: 7 }, { id: { b: 2, a: 1 } }, { id: 8 }];
  const rows = await Array.fromAsync(readSelected(client, 'Order', selected, options));
  expect(rows.map(({ id }) => id)).toEqual([7, { b: 2, a: 1 }]);
});

test('without selected rows nothing is requested', async () => {
  const { client, sent } = recordingClient(() => ({ body: [] }));
  const options = { fetchPlan: {}, signal: new AbortController().signal };
  expect(await Array.fromAsync(readSelected(client, 'Order', [], options))).toEqual([]);
  expect(sent).toEqual([]);
});
