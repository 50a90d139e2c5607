import { holdTransaction } from '@lintel/testkit';
import { workshopOfTests } from './workshop-of-tests.ts';

const workshop = workshopOfTests();
const { send, patch, change, refusal, create, read, newBox, partsOf, query } = workshop;

describe('values (contract/writing.md#json-patch)', () => {
  test('are tested, set, cleared, moved and copied, in order, in one version', async () => {
    const id = await newBox({ note: 'n', price: 10.5, origin: { land: 'DE', town: 'Ulm' } });
    await change(
      id,
      { op: 'test', path: '/version', value: 1 },
      { op: 'test', path: '/id', value: id },
      { op: 'test', path: '/_entityName', value: 'w_Box' },
      { op: 'test', path: '/price', value: '10.500' },
      { op: 'test', path: '/made', value: null },
      { op: 'replace', path: '/name', value: 'new' },
      { op: 'test', path: '/name', value: 'new' },
      { op: 'copy', from: '/note', path: '/internal' },
      { op: 'move', from: '/origin/town', path: '/note' },
      { op: 'remove', path: '/price' },
      { op: 'add', path: '/made', value: '2026-01-02T03:04', ignored: true },
      { op: 'test', path: '/made', value: '2026-01-02T03:04:00.000' },
    );
    const box = await read(id);
    expect(box).toMatchObject({ name: 'new', note: 'Ulm', internal: 'n', made: '2026-01-02T03:04:00.000', version: 2 });
    expect(box.origin).toMatchObject({ land: 'DE' });
    expect([box.price, box.origin.town]).toEqual([undefined, undefined]);
  });

  // Asserts contract/writing.md#json-patch.
  test('an embedded object and a single child are replaced as a whole, or changed inside', async () => {
    const id = await newBox({ origin: { land: 'DE', town: 'Ulm' }, label: { text: 'old', size: 5 } });
    await change(
      id,
      { op: 'test', path: '/origin', value: { town: 'Ulm', land: 'DE' } },
      { op: 'replace', path: '/origin', value: { town: 'Bonn' } },
      { op: 'replace', path: '/label/text', value: 'new' },
    );
    const first = await read(id);
    expect([first.origin.land, first.origin.town, first.label.text, first.label.size]).toEqual([
      undefined,
      'Bonn',
      'new',
      5,
    ]);
    await change(
      id,
      { op: 'replace', path: '/label', value: { text: 'whole' } },
      { op: 'add', path: '/label/size', value: 8 },
    );
    expect((await read(id)).label).toMatchObject({ id: first.label.id, text: 'whole', size: 8 });
    await change(id, { op: 'remove', path: '/label' });
    expect((await read(id)).label).toBeUndefined();
    expect(await refusal(id, [{ op: 'replace', path: '/label/text', value: 'x' }])).toEqual([
      409,
      'DATA_PATCH_CONFLICT',
      'operations[0]: there is nothing at /label/text',
    ]);
    await change(id, { op: 'test', path: '/label', value: null }, { op: 'add', path: '/label', value: { text: 'x' } });
    expect((await read(id)).label).toMatchObject({ text: 'x', size: 3 });
  });

  // Asserts contract/writing.md#json-patch.
  test('JSON values and collections of values are addressed inside, by names and positions', async () => {
    const id = await newBox({ colours: ['red', 'blue'] });
    const stored = '{"data":{"a":{"b/c":[1,2.50]},"n":12345678901234567890.10}}';
    expect((await send('PUT', `w_Box/${id}`, stored)).status).toBe(200);
    await change(
      id,
      { op: 'test', path: '/data/a/b~1c/1', value: 2.5 },
      { op: 'add', path: '/data/a/b~1c/0', value: { x: null } },
      { op: 'copy', from: '/data/a', path: '/data/copy' },
      { op: 'remove', path: '/data/a/b~1c/1' },
      { op: 'add', path: '/colours/1', value: 'green' },
      { op: 'add', path: '/colours/-', value: 'black' },
      { op: 'remove', path: '/colours/0' },
      { op: 'replace', path: '/colours/1', value: 'white' },
      { op: 'test', path: '/colours', value: ['green', 'white', 'black'] },
    );
    expect(await query('SELECT data::text AS data FROM w.box WHERE id = $1', [id])).toEqual([
      {
        data: '{"a": {"b/c": [{"x": null}, 2.50]}, "n": 12345678901234567890.10, "copy": {"b/c": [{"x": null}, 1, 2.50]}}',
      },
    ]);
    expect((await read(id)).colours).toEqual(['green', 'white', 'black']);
    for (const path of ['/data/x/y', '/data/a/b~1c/9', '/colours/7', '/colours/01'])
      expect(await refusal(id, [{ op: 'add', path, value: 'x' }])).toEqual([
        409,
        'DATA_PATCH_CONFLICT',
        `operations[0]: there is nothing at ${path}`,
      ]);
  });

  // Asserts contract/writing.md#json-patch.
  test('a reference is set by its object or its id', async () => {
    const [a, b] = [await create('w_Guest', { name: 'a' }), await create('w_Guest', { name: 'b' })];
    const id = await newBox({ owner: { id: a } });
    await change(
      id,
      { op: 'test', path: '/owner', value: { id: a, name: 'ignored' } },
      { op: 'test', path: '/owner/id', value: a },
      { op: 'replace', path: '/owner/id', value: b },
    );
    expect((await read(id)).owner.name).toBe('b');
    await change(id, { op: 'replace', path: '/owner', value: { id: a } });
    await change(id, { op: 'remove', path: '/owner' }, { op: 'test', path: '/owner', value: null });
    expect((await read(id)).owner).toBeUndefined();
    expect(await refusal(id, [{ op: 'test', path: '/owner/name', value: 'a' }])).toEqual([
      400,
      'REQ_INVALID_PATCH',
      "operations[0]: 'owner' refers to another instance, of which the patch can address only the id",
    ]);
  });
});

describe('members (contract/writing.md#json-patch)', () => {
  test('children are added, changed, replaced and removed by their ids; the others stay', async () => {
    const id = await newBox({ parts: ['a', 'b', 'c', 'd'].map((name, at) => ({ name, position: at })) });
    const [a, b, c] = (await read(id)).parts.map((part: { id: string }) => part.id);
    const own = crypto.randomUUID();
    await change(
      id,
      { op: 'test', path: `/parts/${a}/position`, value: 0 },
      { op: 'test', path: `/parts/${a}`, value: { id: a } },
      { op: 'replace', path: `/parts/${a}/position`, value: 9 },
      { op: 'remove', path: `/parts/${b}` },
      { op: 'replace', path: `/parts/${c}`, value: { name: 'whole' } },
      { op: 'add', path: '/parts/-', value: { name: 'new' } },
      { op: 'add', path: `/parts/${own}`, value: { name: 'own', position: 4 } },
      { op: 'add', path: `/parts/${a}/pieces/-`, value: { name: 'piece' } },
    );
    expect(await partsOf(id)).toEqual(['a 9', 'd 3', 'new 7', 'own 4', 'whole null']);
    const box = await read(id);
    expect(box.version).toBe(2);
    expect(box.parts.find((part: { id: string }) => part.id === a).pieces).toMatchObject([{ name: 'piece' }]);
    expect(box.parts.some((part: { id: string }) => part.id === own)).toBe(true);
    await change(id, { op: 'remove', path: '/parts' });
    expect(await partsOf(id)).toEqual([]);
  });

  // Asserts contract/writing.md#json-patch.
  test('members that are keyed by a number are addressed by it, not by their position', async () => {
    const id = await newBox();
    for (const number of [11, 12]) await create('w_Slot', { number, name: `s${number}`, box: { id } });
    await change(id, { op: 'replace', path: '/slots/12/name', value: 'x' }, { op: 'remove', path: '/slots/11' });
    expect((await read(id)).slots).toMatchObject([{ number: 12, name: 'x' }]);
    expect((await refusal(id, [{ op: 'remove', path: '/slots/0' }]))[0]).toBe(409);
  });

  // Asserts contract/writing.md#json-patch.
  test('links of associations come and go alone', async () => {
    const tags = await Promise.all(['t', 'u', 'v'].map((name) => create('w_Tag', { name })));
    const guests = await Promise.all(['g', 'h', 'i'].map((name) => create('w_Guest', { name })));
    const id = await newBox({
      tags: tags.slice(0, 2).map((one) => ({ id: one })),
      guests: guests.slice(0, 2).map((one) => ({ id: one })),
    });
    await change(
      id,
      { op: 'remove', path: `/tags/${tags[0]}` },
      { op: 'add', path: '/tags/-', value: { id: tags[2] } },
      { op: 'remove', path: `/guests/${guests[0]}` },
      { op: 'add', path: `/guests/${guests[2]}`, value: {} },
    );
    const box = await read(id);
    expect(box.tags.map(({ name }: { name: string }) => name).sort()).toEqual(['u', 'v']);
    expect(box.guests.map(({ name }: { name: string }) => name).sort()).toEqual(['h', 'i']);
    expect(box.version).toBe(2);
    const missing = await patch(id, [{ op: 'add', path: '/tags/-', value: { id: crypto.randomUUID() } }]);
    expect([missing.status, missing.json().details]).toEqual([400, "Referenced entity for property 'tags' is missing"]);
  });

  test('a change of some members of an association waits for no lock of the others', async () => {
    const guests = await Promise.all(['g', 'h', 'i'].map((name) => create('w_Guest', { name })));
    const id = await newBox({ guests: guests.slice(0, 2).map((one) => ({ id: one })) });
    const held = await holdTransaction(
      workshop.databaseUrl,
      `SELECT 1 FROM w.guest WHERE id = '${guests[1]}' FOR UPDATE`,
    );
    try {
      await change(
        id,
        { op: 'remove', path: `/guests/${guests[0]}` },
        { op: 'add', path: '/guests/-', value: { id: guests[2] } },
      );
    } finally {
      await held.release();
    }
    expect((await read(id)).guests.map(({ name }: { name: string }) => name).sort()).toEqual(['h', 'i']);
  });

  // Asserts contract/writing.md#json-patch.
  test('a member that is not there, or is there already, is a conflict', async () => {
    const id = await newBox({ parts: [{ name: 'a' }] });
    const [part] = (await read(id)).parts;
    const other = crypto.randomUUID();
    for (const operations of [
      [{ op: 'remove', path: `/parts/${other}` }],
      [{ op: 'replace', path: `/parts/${other}/name`, value: 'x' }],
      [{ op: 'replace', path: `/parts/${other}`, value: {} }],
      [{ op: 'add', path: `/parts/${part.id}`, value: { name: 'x' } }],
      [{ op: 'add', path: '/parts/-', value: { id: part.id, name: 'x' } }],
      [
        { op: 'add', path: '/parts/-', value: { id: other, name: 'x' } },
        { op: 'add', path: '/parts/-', value: { id: other, name: 'y' } },
      ],
      [
        { op: 'add', path: '/parts/-', value: { id: other, name: 'x' } },
        { op: 'remove', path: `/parts/${other}` },
      ],
      [
        { op: 'remove', path: `/parts/${part.id}` },
        { op: 'remove', path: `/parts/${part.id}` },
      ],
    ])
      expect((await refusal(id, operations)).slice(0, 2)).toEqual([409, 'DATA_PATCH_CONFLICT']);
    expect(await partsOf(id)).toEqual(['a 7']);
  });

  // Asserts contract/writing.md#json-patch.
  test('a child that the patch has removed is added again with its id, also by its own key', async () => {
    const id = await newBox({ parts: [{ name: 'a' }] });
    const [part] = (await read(id)).parts;
    await change(
      id,
      { op: 'remove', path: `/parts/${part.id}` },
      { op: 'add', path: '/parts/-', value: { id: part.id, name: 'b' } },
    );
    expect((await read(id)).parts).toMatchObject([{ id: part.id, name: 'b' }]);
    await create('w_Slot', { number: 31, name: 's', box: { id } });
    const again = { op: 'add', path: '/slots/-', value: { number: 31, name: 't' } };
    expect((await refusal(id, [again])).slice(0, 2)).toEqual([409, 'DATA_PATCH_CONFLICT']);
    await change(id, { op: 'remove', path: '/slots/31' }, again);
    expect((await read(id)).slots).toMatchObject([{ number: 31, name: 't' }]);
    await change(id, { op: 'add', path: '/slots/-', value: { number: 32, name: 'u' } });
    expect((await read(id)).slots).toHaveLength(2);
  });

  // Asserts contract/writing.md#json-patch.
  test('a violation names a member by its id, a new one by its operation', async () => {
    const id = await newBox({ parts: [{ name: 'a' }] });
    const [part] = (await read(id)).parts;
    const response = await patch(id, [
      { op: 'replace', path: `/parts/${part.id}/name`, value: null },
      { op: 'add', path: '/parts/-', value: { position: 1 } },
    ]);
    expect(response.status).toBe(400);
    expect(
      response
        .json()
        .map(({ path }: { path: string }) => path)
        .sort(),
    ).toEqual([`parts[${part.id}].name`, 'parts[operations[1]].name']);
  });
});
