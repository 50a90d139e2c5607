import { recordingClient, type Sent } from '../../../test/page/recording-client.ts';
import { createStoredTexts } from './stored-texts.ts';

/** Runs work with the texts of German, with a stored text or without one; returns the requests. */
async function requestsOf(
  stored: readonly object[],
  work: (texts: ReturnType<typeof createStoredTexts>) => Promise<void>,
): Promise<readonly Sent[]> {
  const { client, sent } = recordingClient(({ method, path }) =>
    path.includes('/search') || method === 'GET' ? { body: stored } : { body: { id: 'new' } },
  );
  await work(createStoredTexts(client, 'de'));
  return sent;
}
const methods = (requests: readonly Sent[]) =>
  requests.map(({ method, path }) => `${method} ${path.split('?')[0]?.replace('/rest/entities/', '')}`);
const FOUND = [{ _entityName: 'sys_Message', id: 'm1' }];

test('a text is found by its key and its locale', async () => {
  const [search] = await requestsOf(FOUND, (texts) => texts.reset('a.b'));
  expect(JSON.stringify(search)).toContain('a.b');
  expect(search?.body).toMatchObject({
    filter: {
      conditions: [
        { property: 'key', operator: '=', value: 'a.b' },
        { property: 'locale', operator: '=', value: 'de' },
      ],
    },
  });
});

test('a text that is stored is changed, and another one is added', async () => {
  const changed = await requestsOf(FOUND, (texts) => texts.save('a.b', 'Straße'));
  expect(methods(changed).slice(1)).toEqual(['PUT sys_Message/m1']);
  expect(changed[1]?.body).toEqual({ text: 'Straße' });
  const added = await requestsOf([], (texts) => texts.save('a.b', 'Straße'));
  expect(methods(added).slice(1)).toEqual(['POST sys_Message']);
  expect(added[1]?.body).toEqual({ key: 'a.b', locale: 'de', text: 'Straße' });
});

test('a text is reset by its removal, and one that is not stored needs none', async () => {
  expect(methods(await requestsOf(FOUND, (texts) => texts.reset('a.b'))).slice(1)).toEqual(['DELETE sys_Message/m1']);
  expect(methods(await requestsOf([], (texts) => texts.reset('a.b')))).toHaveLength(1);
});
