import { buildModel, standardEntity, string } from '@lintel/metadata';
import { createModelSource } from './create-model-source.ts';

const model = buildModel({ entities: [standardEntity('t_Thing', { attributes: { name: string() } })] });
const row = (code: string) => ({
  id: code,
  code,
  entity: 't_Thing',
  category: 'c',
  name: code,
  description: null,
  type: 'STRING',
  collection: null,
  required: true,
  target: null,
  values: null,
  locale_names: 'de=Ding',
  locale_descriptions: null,
});
const event = (entity: string) => ({
  specversion: '1.0' as const,
  id: '1',
  source: '/lintel/data',
  type: 'data.entity.changed.v1',
  time: '2026-01-01T00:00:00Z',
  datacontenttype: 'application/json' as const,
  data: { entity, id: '1', change: 'updated', attributes: [], by: 'x' },
});

function sourceOf() {
  const stored = { codes: ['a'], loads: 0 };
  const database = {
    query: async <R extends object>() => {
      stored.loads += 1;
      return stored.codes.map(row) as unknown as readonly R[];
    },
  };
  const source = createModelSource({ model, database, maxStalenessMs: 60_000, clock: { now: () => 0 } });
  source.cache.setConnected(true);
  const codes = async () => (await source.current()).dynamicAttributes.get('t_Thing')?.map(({ code }) => code);
  return { stored, source, codes };
}

test('the definitions are read once', async () => {
  const { stored, source, codes } = sourceOf();
  const [first, second] = await Promise.all([source.current(), source.current()]);
  expect(second).toBe(first);
  expect(await codes()).toEqual(['a']);
  expect(first.dynamicAttributes.get('t_Thing')?.[0]).toMatchObject({
    required: true,
    collection: false,
    target: undefined,
    values: [],
    localizedNames: { de: 'Ding' },
  });
  expect(stored.loads).toBe(1);
});

test.each(['dynat_Category', 'dynat_CategoryAttribute'])(
  'a change of %s elsewhere has them read again',
  async (entity) => {
    const { stored, source, codes } = sourceOf();
    await codes();
    stored.codes = ['a', 'b'];
    source.cache.handleEvent(event('t_Thing'));
    expect(await codes()).toEqual(['a']);
    source.cache.handleEvent(event(entity));
    expect(await codes()).toEqual(['a', 'b']);
    expect(stored.loads).toBe(2);
  },
);

test('equal definitions are the same model, other ones are another version', async () => {
  const { stored, source } = sourceOf();
  const first = await source.current();
  source.cache.dropAll();
  expect(await source.current()).toBe(first);
  stored.codes = [];
  source.cache.dropAll();
  expect((await source.current()).version).toBe(model.version);
  stored.codes = ['a'];
  source.cache.dropAll();
  expect((await source.current()).version).toBe(first.version);
  expect(stored.loads).toBe(4);
});

test('a change here is forgotten as soon as it is committed', async () => {
  const { stored, source, codes } = sourceOf();
  await codes();
  stored.codes = ['b'];
  for (const { afterCommit } of source.listeners) await afterCommit?.(undefined as never, undefined as never);
  expect(await codes()).toEqual(['b']);
});
