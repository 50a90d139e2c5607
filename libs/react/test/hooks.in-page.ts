/** The hooks in a page; run by `hooks.test.ts` in a process of its own, whose globals are those of a page. */
import { deepStrictEqual as equal, partialDeepStrictEqual as partial } from 'node:assert/strict';
import { test } from 'node:test';
import { useState } from 'react';
import {
  createLine,
  createRights,
  createTrace,
  joinPath,
  useAggregate,
  useEntityPages,
  useHistory,
  useHistoryWrites,
  useInstance,
  useInstanceEditor,
  useLiveItems,
  useLookup,
} from '../src/index.ts';
import { clientOf, createFeed, type FakeRequest, renderHook } from './render-hook.ts';

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

test('groups are read with their filter as JSON, and stay until others arrive', async () => {
  const requests: FakeRequest[] = [];
  const client = clientOf((request) => {
    requests.push(request);
    return { json: [{ status: 'NEW', n: requests.length }] };
  });
  const groups = await renderHook(() => {
    const [sort, setSort] = useState('n');
    const aggregates = { n: { count: '*' } } as const;
    const { data } = useAggregate('app_Item', { groupBy: ['status'], aggregates, filter: { conditions: [] }, sort });
    return { shown: data?.map(({ status, n }) => [status, n + 1]), setSort };
  }, client);
  await groups.shows(() => equal(groups.current.shown, [['NEW', 2]]));
  await groups.act(() => groups.current.setSort('-n'));
  await groups.shows(() => equal(groups.current.shown, [['NEW', 3]]));
  equal(requests[1]?.json, {
    groupBy: ['status'],
    aggregates: { n: { count: '*' } },
    filter: { conditions: [] },
    sort: '-n',
  });
  await groups.end();
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
      editor.current.conflict?.map(({ path, before, mine, theirs, isConflict }) => [
        path,
        before,
        mine,
        theirs,
        isConflict,
      ]),
      [['name', 'Old', 'Mine', 'Theirs', true]],
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
  const editor = await renderHook(() => useInstanceEditor({ entity: 'app_Item' }), client);
  await editor.act(() => editor.current.set('name', 'x'));
  await editor.act(() => editor.current.save());
  await editor.shows(() => equal(editor.current.violations.get('name'), 'is too long'));
  await editor.shows(() => equal(editor.current.values, { name: 'x' }));
  await editor.act(() => editor.current.discard());
  await editor.shows(() => equal(editor.current.isDirty, false));
  await editor.end();
});

/** Entities with the attributes that a test needs. */
const modelOf = (entities: Readonly<Record<string, readonly object[]>>) =>
  ({
    rights: createRights({ authorities: [], entities: [], entityAttributes: [], specifics: [] }),
    entities: new Map(
      Object.entries(entities).map(([entityName, properties]) => [
        entityName,
        {
          entityName,
          properties: properties.map((each) => ({ attributeType: 'DATATYPE', cardinality: 'NONE', ...each })),
        },
      ]),
    ),
  }) as never;

test('with a model, children of compositions are sent and compared one by one, and messages are at their values', async () => {
  const sent: unknown[] = [];
  const client = clientOf(({ method, json }) => {
    sent.push([method, json]);
    return { status: 400, json: [{ path: 'lines[1].text', message: 'is too long', invalidValue: 'x' }] };
  });
  const model = modelOf({
    app_Item: [
      { name: 'name', type: 'string' },
      { name: 'lines', type: 'app_Line', attributeType: 'COMPOSITION', cardinality: 'ONE_TO_MANY' },
    ],
    app_Line: [
      { name: 'id', type: 'int' },
      { name: 'text', type: 'string' },
    ],
  });
  const stored = {
    name: 'n',
    lines: [
      { id: 1, text: 'a' },
      { id: 2, text: 'b' },
    ],
  };
  const options = { entity: 'app_Item', id: 'x', stored };
  const editor = await renderHook(() => useInstanceEditor(options), client, model);
  const second = joinPath(joinPath('lines', 'id:2'), 'text');
  await editor.act(() => editor.current.set(joinPath('lines', 'id:1'), { ...stored.lines[0], _removed: true }));
  await editor.act(() => editor.current.set(second, 'long'));
  await editor.act(() =>
    editor.current.set('lines', [...(editor.current.values['lines'] as object[]), createLine({ text: 'new' })]),
  );
  await editor.act(() => editor.current.save());
  equal(sent, [['PATCH', { lines: [{ id: 2, text: 'long' }, { text: 'new' }] }]]);
  const [at] = [...editor.current.violations.keys()];
  equal(editor.current.violations.get(at ?? ''), 'is too long');
  await editor.act(() => editor.current.set(at ?? '', 'short'));
  equal(editor.current.violations.size, 0);
  await editor.end();
});

test('an editor says that somebody else has changed the instance, and not that the user has, at any time', async () => {
  const feed = createFeed();
  const client = clientOf((request) => {
    const { path, method, json } = request;
    if (path.startsWith('/rest/changes')) return feed.open(request);
    if (method === 'GET') return { json: { id: 'a', name: 'theirs' }, headers: { etag: '"3.x"' } };
    return { json: { id: 'a', ...(json as object) }, headers: { etag: '"2.x"', 'x-trace-id': 'own' } };
  });
  const options = { entity: 'app_Item', id: 'a', stored: { id: 'a', name: 'n' }, tag: '"1.x"', isLive: true };
  const editor = await renderHook(() => useInstanceEditor(options), client);
  await editor.act(() => editor.current.set('name', 'mine'));
  await editor.act(() => editor.current.save());
  await editor.act(() => feed.send({ change: 'updated', id: 'a', trace: 'own' }));
  await editor.act(() => feed.send({ change: 'updated', id: 'b' }));
  await editor.shows(() => equal(editor.current.isChangedElsewhere, false));
  // Right after the own change, and from another tab of the same user.
  await editor.act(() => feed.send({ change: 'updated', id: 'a', trace: 'of another tab' }));
  await editor.shows(() => equal(editor.current.isChangedElsewhere, true));
  await editor.act(() => editor.current.compare());
  await editor.shows(() => equal(editor.current.conflict?.[0]?.theirs, 'theirs'));
  await editor.act(() => editor.current.resolve([]));
  await editor.shows(() => partial(editor.current, { isChangedElsewhere: false, values: { name: 'theirs' } }));
  await editor.end();
});

test('an editor shows what was read again, and keeps input that is not saved', async () => {
  const options = { entity: 'app_Item', id: 'a' };
  const editor = await renderHook(
    () => {
      const [read, setRead] = useState({ stored: { name: 'n' }, tag: '"1.x"' });
      return { ...useInstanceEditor({ ...options, ...read }), setRead };
    },
    clientOf(() => ({ json: { id: 'a', name: 'mine' }, headers: { etag: '"3.x"' } })),
  );
  await editor.act(() => editor.current.setRead({ stored: { name: 'n2' }, tag: '"2.x"' }));
  partial(editor.current, { isDirty: false, isChangedElsewhere: false, values: { name: 'n2' } });
  await editor.act(() => editor.current.set('name', 'mine'));
  await editor.act(() => editor.current.setRead({ stored: { name: 'n2' }, tag: '"2.x"' }));
  partial(editor.current, { isChangedElsewhere: false, values: { name: 'mine' } });
  await editor.act(() => editor.current.setRead({ stored: { name: 'theirs' }, tag: '"3.x"' }));
  partial(editor.current, { isDirty: true, isChangedElsewhere: true, values: { name: 'mine' } });
  // The own save is no change of somebody else.
  await editor.act(() => editor.current.save());
  await editor.act(() => editor.current.setRead({ stored: { name: 'mine' }, tag: '"3.x"' }));
  partial(editor.current, { isDirty: false, isChangedElsewhere: false, values: { name: 'mine' } });
  await editor.end();
});

test('kept input is continued with what it began with', async () => {
  const client = clientOf(() => ({ status: 404 }));
  const options = { entity: 'app_Item', id: 'a', stored: { name: 'n' }, tag: '"2.x"' };
  const editor = await renderHook(() => useInstanceEditor(options), client);
  await editor.act(() => editor.current.restore({ values: { name: 'old' }, tag: '"1.x"' }, { name: 'kept' }));
  partial(editor.current, { isDirty: true, changed: { name: 'kept' }, stored: { tag: '"1.x"' } });
  await editor.end();
});

test('items show what others change, and count what needs the list to be read again', async () => {
  const feed = createFeed();
  const read: string[] = [];
  const client = clientOf((request) => {
    const { path } = request;
    if (path.startsWith('/rest/changes')) return feed.open(request);
    read.push(path.replace(/\?.*/, ''));
    if (path.includes('/c')) return { status: 404 };
    return { json: { id: 'b', name: 'New' } };
  });
  const options = { fetchPlan: { name: true }, paths: ['name'] };
  const list = await renderHook(() => useLiveItems('app_Item', ROWS, options), client);
  await list.act(() => {
    feed.send({ change: 'updated', id: 'b' });
    feed.send({ change: 'updated', id: 'c' });
    feed.send({ change: 'updated', id: 'of another page' });
    feed.send({ change: 'created', id: 'd' });
    feed.send({ change: 'deleted', id: 'a' });
  });
  await list.shows(() => {
    equal(list.current.items, [ROWS[0], { id: 'b', name: 'New' }, ROWS[2]]);
    equal(
      [...list.current.changed].map(([key, paths]) => [key, ...paths]),
      [['b', 'name']],
    );
    equal([...list.current.removed].sort(), ['a', 'c']);
    equal(list.current.pending, 2);
  });
  equal(read.sort(), ['/rest/entities/app_Item/b', '/rest/entities/app_Item/c']);
  await list.end();
});

test('a lookup searches for each word in the texts of the name, when the user stops typing', async () => {
  const searched: unknown[] = [];
  const client = clientOf(({ path, json }) => {
    if (path.startsWith('/rest/metadata'))
      return {
        json: {
          entityName: 'app_Item',
          nameAttributes: ['name', 'grade'],
          properties: [
            { name: 'name', attributeType: 'DATATYPE', type: 'string', persistent: true },
            { name: 'grade', attributeType: 'ENUM', type: 'Grade', persistent: true },
          ],
        },
      };
    searched.push((json as { readonly filter?: unknown } | undefined)?.filter);
    return { json: [ROWS[0]] };
  });
  const lookup = await renderHook(() => {
    const [words, setWords] = useState(' ada  king ');
    return { ...useLookup('app_Item', words, { waitMs: 1 }), setWords };
  }, client);
  await lookup.shows(() => equal(lookup.current.found, [ROWS[0]]));
  const contains = (value: string) => ({
    group: 'OR',
    conditions: [{ property: 'name', operator: 'contains', value }],
  });
  equal(searched, [{ conditions: [contains('ada'), contains('king')] }]);
  await lookup.act(() => lookup.current.setWords('duarte'));
  await lookup.shows(() => equal(searched.at(-1), { conditions: [contains('duarte')] }));
  await lookup.end();
});

test('a history is read page by page, and again after a change was taken back', async () => {
  const paths: string[] = [];
  const client = clientOf(({ path }) => {
    paths.push(path);
    if (path.endsWith('/undo')) return { json: [{ entity: 'app_Item', id: '1', operation: 'updated' }] };
    const isSecond = path.includes('cursor=');
    const headers = isSecond ? {} : { link: '</x?cursor=2>; rel="next"' };
    return { json: [{ change: isSecond ? 'older' : 'newer', attributes: [] }], headers };
  });
  const history = await renderHook(
    () => ({ ...useHistory('app_Item', '1', { limit: 1 }), ...useHistoryWrites() }),
    client,
  );
  await history.shows(() => partial(history.current, { changes: [{ change: 'newer' }], hasMore: true }));
  await history.act(() => history.current.more());
  await history.shows(() => partial(history.current, { changes: [{}, { change: 'older' }], hasMore: false }));
  await history.act(() => history.current.undo('newer'));
  await history.shows(() => equal(paths.length, 5));
  equal(paths[2], '/rest/history/changes/newer/undo');
  await history.end();
});

test('writes are taken back by their traces, the last one first, and those without a change are left out', async () => {
  const traces = [createTrace(), createTrace(), createTrace()];
  const changesOf = (path: string) =>
    ({ '/1?': [traces[0]], '/3?': [traces[1], 'other'] })[path.match(/\/\d\?/)?.[0] ?? ''];
  const undone: string[] = [];
  const client = clientOf(({ path }) => {
    if (!path.endsWith('/undo'))
      return { json: (changesOf(path) ?? []).map((trace) => ({ change: `of ${trace}`, trace, attributes: [] })) };
    undone.push(decodeURIComponent(path));
    return { json: [{ entity: 'app_Item', id: '1', operation: 'updated' }] };
  });
  const writes = await renderHook(() => useHistoryWrites(), client);
  const [first = '', second = '', third = ''] = traces;
  const entity = 'app_Item';
  await writes.act(async () => {
    const instances = await writes.current.undoWrites([
      { entity, ids: ['1'], trace: first },
      { entity, ids: ['2', '3'], trace: second },
      { entity, ids: ['4'], trace: third },
    ]);
    equal(instances.length, 2);
  });
  equal(
    undone,
    [second, first].map((trace) => `/rest/history/changes/of ${trace}/undo`),
  );
  await writes.end();
});
