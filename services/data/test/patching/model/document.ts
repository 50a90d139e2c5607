import type { DataFixture } from '../../data-fixture.ts';

/** A JSON value of the model of a patch. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** A box as a document: members of collections are named by their ids, as the paths of a JSON Patch name them. */
export type BoxDocument = { [name: string]: Json };

const TEXTS = ['note', 'internal'] as const;
const PLAN = encodeURIComponent(
  JSON.stringify({
    entity: 'w_Box',
    properties: [
      ...['name', ...TEXTS, 'price', 'data', 'colours', 'version'],
      { name: 'origin', fetchPlan: '_local' },
      { name: 'label', fetchPlan: '_local' },
      {
        name: 'parts',
        fetchPlan: { properties: ['name', 'position', 'data', { name: 'pieces', fetchPlan: '_local' }] },
      },
      { name: 'tags', fetchPlan: { properties: [] } },
      { name: 'guests', fetchPlan: { properties: [] } },
      { name: 'owner', fetchPlan: { properties: [] } },
    ],
  }),
);

type Read = Readonly<Record<string, Json>>;

/** Reads a box, and its version. */
export async function readDocument(
  data: DataFixture,
  id: string,
): Promise<{ readonly document: BoxDocument; readonly version: number }> {
  const response = await data.send('admin', 'GET', `/entities/w_Box/${id}?fetchPlan=${PLAN}`);
  const box = response.json() as Read;
  return { document: complete(documentOf(box)), version: Number(box['version']) };
}

function documentOf(box: Read): BoxDocument {
  const { id: _id, version: _version, _entityName, _instanceName, ...values } = box;
  const label = box['label'] as Read | undefined;
  const owner = box['owner'] as Read | undefined;
  return {
    ...values,
    label: label === undefined ? null : { text: label['text'] ?? null, size: label['size'] ?? null },
    owner: owner === undefined ? null : { id: owner['id'] ?? null },
    origin: pick(box['origin'] as Read | undefined, 'land', 'town'),
    parts: byId(box['parts'], (part) => ({
      ...pick(part, 'name', 'position', 'data'),
      pieces: byId(part['pieces'], (piece) => pick(piece, 'name', 'weight')),
    })),
    tags: byId(box['tags'], () => ({})),
    guests: byId(box['guests'], () => ({})),
  };
}

const pick = (from: Read | undefined, ...names: readonly string[]): { [name: string]: Json } =>
  Object.fromEntries(names.map((name) => [name, from?.[name] ?? null]));

const byId = (list: Json | undefined, of: (item: Read) => { [name: string]: Json }): { [name: string]: Json } =>
  Object.fromEntries(((list ?? []) as readonly Read[]).map((item) => [String(item['id']), of(item)]));

/** Attributes without a value, which RFC 6902 removes, are null or empty. */
export function complete(document: BoxDocument): BoxDocument {
  const { parts } = document;
  return {
    name: document['name'] ?? null,
    price: document['price'] ?? null,
    data: document['data'] ?? null,
    ...Object.fromEntries(TEXTS.map((name) => [name, document[name] ?? null])),
    colours: document['colours'] ?? [],
    label: document['label'] == null ? null : pick(document['label'] as Read, 'text', 'size'),
    owner: document['owner'] ?? null,
    origin: pick((document['origin'] ?? {}) as Read, 'land', 'town'),
    parts: Object.fromEntries(
      Object.entries((parts ?? {}) as { [id: string]: Read }).map(([id, part]) => [
        id,
        {
          ...pick(part, 'name', 'position', 'data'),
          pieces: Object.fromEntries(
            Object.entries((part['pieces'] ?? {}) as { [id: string]: Read }).map(([at, piece]) => [
              at,
              pick(piece, 'name', 'weight'),
            ]),
          ),
        },
      ]),
    ),
    tags: document['tags'] ?? {},
    guests: document['guests'] ?? {},
  };
}
