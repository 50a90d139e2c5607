/** The hooks in a page; run by `hooks.test.ts` in a process of its own, whose globals are those of a page. */
import { deepStrictEqual as equal, partialDeepStrictEqual as partial } from 'node:assert/strict';
import { test } from 'node:test';
import { useState } from 'react';
import { useEntityPages, useInstance, useInstanceEditor, useLookup } from '../src/index.ts';
import { clientOf, type FakeRequest, renderHook } from './render-hook.ts';

const ROWS = ['a', 'b', 'c'].map((id) => ({ id, name: `Name of ${id}` }));

/** A list of one row per page. */
function respondWithPages({ json }: FakeRequest) {
  const index = Number((json as { cursor?: string }).cursor ?? 0);
  const next = index + 1 < ROWS.length ? { link: `</x?cursor=${index + 1}>; rel="next"` } : {};
  return { json: [ROWS[index]], headers: { 'x-total-count': '3', ...next } };
}

test('pages are read one after the other, and another order begins with the first', async () => {
  const requests: FakeRequest[] = [];
  const client = clientOf((request) => {
    requests.push(request);
    return respondWithPages(request);
  });
  const list = await renderHook(() => {
    const [sort, setSort] = useState('name');
    return { ...useEntityPages('app_Item', { sort, limit: 1, count: 'exact' }), setSort };
  }, client);
  await list.shows(() =>
    partial(list.current, { items: [ROWS[0]], total: 3, pageNumber: 1, hasPrevious: false, hasNext: true }),
  );
  await list.act(() => list.current.next());
  await list.shows(() => partial(list.current, { items: [ROWS[1]], pageNumber: 2 }));
  await list.act(() => list.current.next());
  await list.shows(() => partial(list.current, { items: [ROWS[2]], pageNumber: 3, hasPrevious: true, hasNext: false }));
  await list.act(() => list.current.next());
  await list.shows(() => equal(list.current.pageNumber, 3));
  await list.act(() => list.current.previous());
  await list.shows(() => partial(list.current, { items: [ROWS[1]], pageNumber: 2 }));
  await list.act(() => list.current.setSort('-name'));
  await list.shows(() => partial(list.current, { items: [ROWS[0]], pageNumber: 1 }));
  partial(requests.at(-1)?.json, { sort: '-name' });
  await list.end();
});

test('an instance that does not exist is missing, and without an id nothing is read', async () => {
  const paths: string[] = [];
  const client = clientOf(({ path }) => {
    paths.push(path);
    return { status: 404 };
  });
  const none = await renderHook(() => useInstance('app_Item', undefined), client);
  equal([none.current.isMissing, paths], [false, []]);
  await none.end();
  const one = await renderHook(() => useInstance('app_Item', 'x'), client);
  await one.shows(() => equal([one.current.isMissing, one.current.instance], [true, undefined]));
  await one.end();
});

test('an editor sends what was changed; a conflict is compared three ways, and what is kept is saved', async () => {
  let stored = { id: 'a', version: 1, name: 'Old', notes: 'n' };
  const writes: unknown[] = [];
  const client = clientOf(({ method, headers, json }) => {
    const tag = (): string => `"${stored.version}.x"`;
    if (method === 'GET') return { json: stored, headers: { etag: tag() } };
    writes.push([headers.get('if-match'), json]);
    if (headers.get('if-match') !== tag()) return { status: 412, json: { error: 'Precondition failed', details: '' } };
    stored = { ...stored, ...(json as object), version: stored.version + 1 };
    return { json: stored, headers: { etag: tag() } };
  });
  const options = { entity: 'app_Item', id: 'a', stored, tag: '"1.x"', fetchPlan: { name: true, notes: true } };
  const editor = await renderHook(() => useInstanceEditor(options), client);
  await editor.shows(() => equal(editor.current.isDirty, false));
  await editor.act(() => editor.current.set('name', 'Mine'));
  await editor.shows(() => partial(editor.current, { isDirty: true, changed: { name: 'Mine' } }));

  stored = { ...stored, name: 'Theirs', version: 2 };
  await editor.act(() => editor.current.save());
  await editor.shows(() =>
    equal(
      editor.current.conflict?.find(({ name }) => name === 'name'),
      { name: 'name', before: 'Old', mine: 'Mine', theirs: 'Theirs', isConflict: true },
    ),
  );
  await editor.act(() => editor.current.resolve([]));
  await editor.shows(() =>
    partial(editor.current, { conflict: undefined, error: undefined, values: { name: 'Mine' } }),
  );
  await editor.act(() => editor.current.save());
  await editor.shows(() => partial(editor.current, { isDirty: false, values: { name: 'Mine', version: 3 } }));
  equal(writes, [
    ['"1.x"', { name: 'Mine' }],
    ['"2.x"', { name: 'Mine' }],
  ]);
  await editor.end();
});

test('what the service says about attributes is at their names, and the input stays', async () => {
  const client = clientOf(() => ({ status: 400, json: [{ path: 'name', message: 'is too long', invalidValue: 'x' }] }));
  const editor = await renderHook(() => useInstanceEditor({ entity: 'app_Item', id: undefined, stored: {} }), client);
  await editor.act(() => editor.current.set('name', 'x'));
  await editor.act(() => editor.current.save());
  await editor.shows(() => equal(editor.current.violations.get('name'), 'is too long'));
  await editor.shows(() => equal(editor.current.values, { name: 'x' }));
  await editor.act(() => editor.current.discard());
  await editor.shows(() => equal(editor.current.isDirty, false));
  await editor.end();
});

test('a lookup searches in the texts of the name', async () => {
  let searched: unknown;
  const client = clientOf(({ path, json }) => {
    if (path.endsWith('/fetchPlans/_instance_name')) return { json: { properties: ['name', 'grade'] } };
    if (path.startsWith('/rest/metadata'))
      return {
        json: {
          entityName: 'app_Item',
          properties: [
            { name: 'name', attributeType: 'DATATYPE', type: 'string', persistent: true },
            { name: 'grade', attributeType: 'ENUM', type: 'Grade', persistent: true },
          ],
        },
      };
    searched = json;
    return { json: [ROWS[0]] };
  });
  const lookup = await renderHook(() => useLookup('app_Item', 'ada'), client);
  await lookup.shows(() => equal(lookup.current.found, [ROWS[0]]));
  partial(searched, {
    filter: { conditions: [{ group: 'OR', conditions: [{ property: 'name', operator: 'contains', value: 'ada' }] }] },
  });
  await lookup.end();
});
