import { createClient } from '../create-client.ts';
import { NotFoundError } from '../errors/rest-error.ts';
import type { FetchLike } from '../platform.ts';
import { rehearse } from './rehearse.ts';

function clientTo(status: number, text: string) {
  const sent: Parameters<FetchLike>[] = [];
  const fetch: FetchLike = async (...call) => {
    sent.push(call);
    return new Response(text, { status, headers: { 'content-type': 'application/json' } });
  };
  const client = createClient({ baseUrl: 'http://server', fetch, maxRetries: 0 }, { numbers: { E: { price: true } } });
  return { client, sent };
}

test('a write is sent with the preference, and its changes have exact numbers', async () => {
  const { client, sent } = clientTo(
    200,
    `{"result":{"_entityName":"E","price":1.50},"changes":[{"entity":"E","id":"1","change":"updated",
      "attributes":[{"attribute":"price","old":1.0,"new":1.50}]}],"events":[{"type":"e","subject":"s"}]}`,
  );
  let result: unknown;
  const rehearsal = await rehearse(client, async (dry) => {
    result = await dry.update('E', '1', { price: '1.50' }, { reason: 'why' });
  });
  expect(result).toEqual({ _entityName: 'E', price: '1.50' });
  expect(rehearsal).toEqual({
    changes: [
      { entity: 'E', id: '1', change: 'updated', attributes: [{ attribute: 'price', old: '1.0', new: '1.50' }] },
    ],
    events: [{ type: 'e', subject: 's' }],
  });
  const headers = sent[0]?.[1]?.headers;
  expect(headers).toMatchObject({ prefer: 'tx=rollback', 'x-change-reason': 'why' });
});

test('other preferences of the write stay', async () => {
  const { client, sent } = clientTo(200, '{"result":{},"changes":[],"events":[]}');
  await rehearse(client, (dry) => dry.upsert('E', {}, { key: 'a', ignoreDuplicates: true }));
  expect(sent[0]?.[1]?.headers).toMatchObject({ prefer: 'resolution=ignore-duplicates, tx=rollback' });
});

test('a write that would be refused rejects, and so does none', async () => {
  const { client } = clientTo(404, '');
  await expect(rehearse(client, (dry) => dry.remove('E', '1'))).rejects.toBeInstanceOf(NotFoundError);
  await expect(rehearse(client, async () => undefined)).rejects.toThrow('Nothing was written');
});
