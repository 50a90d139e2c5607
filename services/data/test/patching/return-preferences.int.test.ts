import { type DataFixture, startData } from '../data-fixture.ts';
import { workers, workshop } from './workshop-application.ts';

let data: DataFixture;
beforeAll(async () => {
  data = await startData(workshop, workers);
});
afterAll(() => data?.close());

const TYPE = { 'content-type': 'application/merge-patch+json' };
const MINIMAL = { prefer: 'return=minimal' };
const send = (method: string, path: string, body?: unknown, headers?: Record<string, string>, user = 'admin') =>
  data.send(user, method, `/entities/${path}`, body, headers);
const read = async (id: string) => (await send('GET', `w_Box/${id}`)).json();

describe('return=minimal (contract/writing.md#return)', () => {
  test('a create responds with 201, Location and ETag, without a body', async () => {
    const response = await send('POST', 'w_Box', { name: 'a' }, MINIMAL);
    expect([response.status, response.text]).toEqual([201, '']);
    expect(response.headers.get('preference-applied')).toBe('return=minimal');
    expect(response.headers.get('etag')).toMatch(/^"1\./);
    const id = response.headers.get('location')?.split('/').at(-1) ?? '';
    expect((await read(id)).name).toBe('a');
  });

  // Asserts contract/writing.md#return.
  test('an update responds with 204 and a tag for If-Match, and no statement reads the instance back', async () => {
    const { id } = (await send('POST', 'w_Box', { name: 'a' })).json();
    const full = `w_Box/${id}?responseFetchPlan=_base`;
    await send('PUT', full, { note: 'first' });
    const before = data.statements.length;
    await send('PUT', full, { note: 'second' });
    const withBody = data.statements.length - before;
    const put = await send('PUT', full, { note: 'third' }, { prefer: 'return="minimal", handling=lenient' });
    expect(data.statements.length - before - withBody).toBe(withBody - 1);
    expect([put.status, put.text, put.headers.get('preference-applied')]).toEqual([204, '', 'return=minimal']);
    const tag = put.headers.get('etag') ?? '';
    expect(tag).toMatch(/^"4\./);
    const patched = await send('PATCH', `w_Box/${id}`, { note: 'z' }, { ...TYPE, ...MINIMAL, 'if-match': tag });
    expect([patched.status, patched.headers.get('etag')]).toEqual([204, expect.stringMatching(/^"5\./)]);
    const same = await send('PUT', `w_Box/${id}`, { note: 'z' }, MINIMAL);
    expect([same.status, same.headers.get('etag')]).toEqual([204, expect.stringMatching(/^"5\./)]);
  });

  // Asserts contract/writing.md#return.
  test('without a version that the caller may view there is no tag', async () => {
    const { id } = (await send('POST', 'w_Box', { name: 'a' })).json();
    const hidden = await send('PUT', `w_Box/${id}`, { note: 'x' }, MINIMAL, 'clerk');
    expect([hidden.status, hidden.headers.get('etag')]).toEqual([204, null]);
    const slot = await send('POST', 'w_Slot', { number: 5 }, MINIMAL);
    expect([slot.status, slot.headers.get('etag')]).toEqual([201, null]);
    expect(slot.headers.get('location')).toMatch(/\/w_Slot\/5$/);
  });

  // Asserts contract/writing.md#return.
  test('batches have no body either', async () => {
    const created = await send('POST', 'w_Box', [{ name: 'a' }, { name: 'b' }], MINIMAL);
    expect([created.status, created.text, created.headers.get('location')]).toEqual([
      201,
      '',
      expect.stringMatching(/\/w_Box$/),
    ]);
    const { id } = (await send('POST', 'w_Box', { name: 'c' })).json();
    const put = await send('PUT', 'w_Box', [{ id, note: 'x' }], MINIMAL);
    const patched = await send('PATCH', 'w_Box', [{ id, note: 'y' }], { ...TYPE, ...MINIMAL });
    expect([put.status, put.text, patched.status, patched.text]).toEqual([204, '', 204, '']);
    expect((await read(id)).note).toBe('y');
  });

  // Asserts contract/writing.md#return.
  test('a refusal has its body; a wrong plan is refused; a repeated request has the first response', async () => {
    const refused = await send('POST', 'w_Box', {}, MINIMAL);
    expect([refused.status, refused.json()[0].path, refused.headers.get('preference-applied')]).toEqual([
      400,
      'name',
      null,
    ]);
    expect((await send('POST', 'w_Box?responseFetchPlan=no', { name: 'a' }, MINIMAL)).status).toBe(400);
    const key = { 'idempotency-key': 'minimal-1' };
    const first = await send('POST', 'w_Box', { name: 'r' }, { ...MINIMAL, ...key });
    const again = await send('POST', 'w_Box', { name: 'r' }, { ...MINIMAL, ...key });
    expect([again.status, again.text, again.headers.get('location')]).toEqual([201, '', first.headers.get('location')]);
  });
});

describe('return=representation', () => {
  // Asserts contract/writing.md#return.
  test('responds as a read does; a plan decides as without the preference', async () => {
    const prefer = { prefer: 'return=representation' };
    const created = await send('POST', 'w_Box', { name: 'a', note: 'n' }, prefer);
    expect([created.status, created.json()]).toEqual([
      201,
      expect.objectContaining({ name: 'a', note: 'n', version: 1 }),
    ]);
    expect(created.headers.get('preference-applied')).toBe('return=representation');
    const { id } = created.json();
    const put = await send('PUT', 'w_Box', [{ id, note: 'm' }], prefer);
    expect([put.status, put.json()]).toEqual([200, [expect.objectContaining({ name: 'a', note: 'm' })]]);
    const planned = await send('PUT', `w_Box/${id}?responseFetchPlan=_instance_name`, { note: 'o' }, prefer);
    expect(planned.json().note).toBeUndefined();
  });

  // Asserts contract/writing.md#return.
  test('other values change nothing', async () => {
    const created = await send('POST', 'w_Box', { name: 'a', note: 'n' }, { prefer: 'return=everything' });
    expect([created.json().note, created.headers.get('preference-applied')]).toEqual([undefined, null]);
  });
});
