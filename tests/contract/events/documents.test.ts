import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run, type Terminal } from '@lintel/cli';
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { send, tokenOf } from '../api.ts';
import { COMPLAINED, COMPLAINED_1, removeRoles, STATUS_CHANGED, userWith } from './sales.ts';

afterAll(removeRoles);

/** Rules for what an application does not declare, or what is different in each installation. */
const LEFT_OUT = Object.fromEntries(
  [
    'info-contact',
    'info-license',
    'info-license-url',
    'servers',
    '3-tags',
    '3-operation-description',
    'latest-version',
  ].map((rule) => [`asyncapi-${rule}`, 'off' as const]),
);

async function documentFor(token?: string) {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const response = await send('GET', '/rest/docs/asyncapi.json', { headers });
  expect(response.status).toBe(200);
  return response.json();
}

// Asserts contract/events.md#documents.
test('the document of all events keeps the rules of AsyncAPI 3.0', async () => {
  const document = await documentFor(await tokenOf('admin'));
  expect(document.asyncapi).toBe('3.0.0');
  const spectral = new spectralCore.Spectral();
  spectral.setRuleset({ extends: [[rulesets.asyncapi as unknown as RulesetDefinition, 'all']], rules: LEFT_OUT });
  const problems = (await spectral.run(document)).map(({ code, path, message }) => [code, path.join('/'), message]);
  expect(problems).toEqual([]);
  const { operations, components } = document;
  expect(Object.keys(components.schemas)).toEqual(expect.arrayContaining([COMPLAINED_1, COMPLAINED, STATUS_CHANGED]));
  expect(operations).toMatchObject({
    [`send.${COMPLAINED_1}`]: { action: 'send' },
    'receive.complaints': { action: 'receive', channel: { $ref: `#/channels/${COMPLAINED}` } },
    'receive.shipments': { channel: { $ref: '#/channels/dispatch.shipment-changed.v1' } },
    'receive.shipped-orders': { channel: { $ref: '#/channels/data.entity.changed.v1' } },
  });
});

// Asserts contract/events.md#documents.
test('the document of a caller has the events that the caller may receive, and no trace of others', async () => {
  const { token } = await userWith([`events.read.${COMPLAINED}`]);
  const text = JSON.stringify(await documentFor(token));
  expect(text).toContain(`send.${COMPLAINED}`);
  expect(text).toContain('receive.complaints');
  expect(text).not.toMatch(/order-complained\.v1|order-status|shipment|shipped|deliver/);
  for (const stranger of [await tokenOf('viewer'), undefined])
    expect(JSON.stringify(await documentFor(stranger))).not.toMatch(/complain|order-status|shipment|shipped|receive\./);
});

const unused = async (): Promise<never> => Promise.reject(new Error('There is no input'));
const notes: string[] = [];
const terminal: Terminal = {
  isInteractive: false,
  print: () => {},
  note: (text) => void notes.push(text),
  during: (_title, work) => work(() => {}),
  through: (_title, _total, work) => work(() => {}),
  askText: unused,
  askPassword: unused,
  askYes: unused,
  readInput: async () => '',
};

// Asserts contract/events.md#documents.
test('the document of all events is what lintel asyncapi writes without a server', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lintel-asyncapi-'));
  try {
    const file = join(folder, 'sales.json');
    const sales = fileURLToPath(new URL('../../../examples/sales', import.meta.url));
    expect(await run(['asyncapi', '--application', sales, '--output', file], terminal)).toBe(0);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(await documentFor(await tokenOf('admin')));
  } finally {
    await rm(folder, { recursive: true });
  }
});

const WRONG = `import { defineApplication, event } from '@lintel/application';
const made = event('shop.made.v1', { type: 'object' });
export default defineApplication({
  ...{ id: 'shop', name: 'Shop', entities: [] },
  events: [made, made, event('other.made.v1', {}), event('shop.made', {}), event('shop.wrong.v1', { type: 'text' })],
});
`;

// Asserts contract/events.md#declaration.
test('an application with types of others, repeated ones and wrong schemas is refused with a sentence for each', async () => {
  const folder = await mkdtemp(fileURLToPath(new URL('../.typed-client-', import.meta.url)));
  try {
    await writeFile(join(folder, 'application.ts'), WRONG);
    expect(await run(['asyncapi', '--application', join(folder, 'application.ts')], terminal)).toBe(2);
    const said = notes.join();
    for (const sentence of [
      'Event shop.made.v1: another event has this type',
      'Event other.made.v1: its type must be shop.<fact>.v<number>',
      'Event shop.made: its type must be shop.<fact>.v<number>',
      'Event shop.wrong.v1: its JSON Schema is not valid: ',
    ])
      expect(said).toContain(sentence);
  } finally {
    await rm(folder, { recursive: true });
  }
});
