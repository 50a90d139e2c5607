import { type DataFixture, startData } from '../data-fixture.ts';
import { workers, workshop } from './workshop-application.ts';

export type Operation = Readonly<Record<string, unknown>>;

/** The content type of a JSON Patch. */
export const TYPE = { 'content-type': 'application/json-patch+json' };

const PLAN = encodeURIComponent(
  JSON.stringify({
    entity: 'w_Box',
    properties: [
      ...['name', 'note', 'internal', 'price', 'made', 'data', 'colours', 'version'],
      { name: 'origin', fetchPlan: '_local' },
      { name: 'label', fetchPlan: '_local' },
      { name: 'parts', fetchPlan: { properties: ['name', 'position', { name: 'pieces', fetchPlan: '_local' }] } },
      { name: 'slots', fetchPlan: '_local' },
      { name: 'tags', fetchPlan: { properties: ['name'] } },
      { name: 'guests', fetchPlan: { properties: ['name'] } },
      { name: 'owner', fetchPlan: { properties: ['name'] } },
    ],
  }),
);
export const VEHICLE = encodeURIComponent('{"entity":"w_Vehicle","properties":["name","wheels","version"]}');

/** A data service with the workshop, and what tests of JSON Patches send to it. */
export function workshopOfTests() {
  let data: DataFixture;
  beforeAll(async () => {
    data = await startData(workshop, workers);
  });
  afterAll(() => data?.close());

  const send = (method: string, path: string, body?: unknown, headers?: Record<string, string>, user = 'admin') =>
    data.send(user, method, `/entities/${path}`, body, headers);
  const patch = (
    id: string,
    body: readonly Operation[] | string,
    headers: Record<string, string> = {},
    user = 'admin',
  ) => send('PATCH', `w_Box/${id}`, body, { ...TYPE, ...headers }, user);
  const change = async (id: string, ...operations: readonly Operation[]) => {
    const response = await patch(id, operations);
    expect([response.status, response.text]).toEqual([200, expect.any(String)]);
  };
  const refusal = async (id: string, operations: readonly Operation[], user = 'admin') => {
    const { status, json: body, headers } = await patch(id, operations, {}, user);
    return [status, headers.get('x-error-code'), body().details];
  };
  const create = async (entity: string, body: unknown): Promise<string> => {
    const response = await send('POST', entity, body);
    expect([response.status, response.text]).toEqual([201, expect.any(String)]);
    return response.json().id;
  };
  const read = async (id: string) => (await send('GET', `w_Box/${id}?fetchPlan=${PLAN}`)).json();
  const newBox = (values: object = {}) => create('w_Box', { name: 'box', ...values });
  const partsOf = async (id: string) =>
    (await data.query('SELECT name, position FROM w.part WHERE box_id = $1 ORDER BY name', [id])).map(
      (row) => `${row['name']} ${row['position']}`,
    );

  return {
    get databaseUrl() {
      return data.databaseUrl;
    },
    ...{ send, patch, change, refusal, create, read, newBox, partsOf },
    query: (text: string, values: unknown[] = []) => data.query(text, values),
  };
}
