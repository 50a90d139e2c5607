import {
  type BackgroundRun,
  createClient,
  exportFile,
  followRun,
  type ImportReport,
  importFile,
  RestError,
} from '@lintel/client';
import { baseUrl, tokenOf, unique } from '../api.ts';

const client = createClient({ baseUrl, token: () => tokenOf('admin') });

// Asserts contract/exports.md#parameters, contract/imports.md#imports.
test('a table is imported, exported and imported again, with progress', async () => {
  const [one, two] = [unique('tag'), unique('tag')];
  const sent: number[] = [];
  const file = `Bezeichnung,Notiz\n${one},x\n${two},\n`;
  const columns = { Bezeichnung: 'name', Notiz: null };
  const onProgress = ({ loaded }: { readonly loaded: number }): void => void sent.push(loaded);
  const rehearsed = await importFile(client, 'sales_ProductTag', file, { columns, key: 'name', dryRun: true });
  const imported = await importFile(client, 'sales_ProductTag', file, { columns, key: 'name', onProgress });
  expect([rehearsed.created, imported.created, sent.at(-1)]).toEqual([2, 2, file.length]);
  const received: number[] = [];
  const exported = await exportFile(client, 'sales_ProductTag', {
    filter: { conditions: [{ property: 'name', operator: 'in', value: [one, two] }] },
    onProgress: ({ loaded }) => void received.push(loaded),
  });
  const text = await exported.text();
  expect([text.split('\n').length, received.at(-1), exported.contentType]).toEqual([
    4,
    text.length,
    'text/csv;charset=utf-8',
  ]);
  const readable = { headers: 'captions', references: 'names', values: 'locale', limit: 1 } as const;
  const forPeople = await exportFile(client, 'sales_ProductTag', { ...readable, fetchPlan: '_local' });
  expect((await forPeople.text()).split('\n')[0]).toContain('"Name"');
  expect((await importFile(client, 'sales_ProductTag', text, { mode: 'upsert' })).unchanged).toBe(2);
  const refused = await importFile(client, 'sales_ProductTag', `name\n${one}\n`).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(RestError);
  expect(((refused as RestError).body as ImportReport).errors).toHaveLength(1);
});

// Asserts contract/imports.md#background.
test('a large table is uploaded, and imported in the background', async () => {
  const tag = unique('tag');
  const [sent, runs]: [number[], BackgroundRun[]] = [[], []];
  // A cell that is skipped makes the file large.
  const file = `name,Notiz\n${tag},${'x'.repeat(900_000)}\n${`,${'x'.repeat(900_000)}\n`.repeat(9)}`;
  const options = { columns: { Notiz: null }, refused: 'skip' } as const;
  const report = await importFile(client, 'sales_ProductTag', file, {
    ...options,
    onProgress: ({ loaded }) => void sent.push(loaded),
    onRun: (run) => void runs.push(run),
  });
  expect([report.created, report.refused, sent.at(-1), runs.at(-1)?.status]).toEqual([1, 9, file.length, 'SUCCEEDED']);
  expect(await followRun(client, runs[0] as BackgroundRun)).toEqual(report);
  const { fileRef } = await client.files.upload(`name\n${tag}\n`, { name: 'tags.csv' });
  const again = await importFile(client, 'sales_ProductTag', { fileRef }, { key: 'name' });
  expect(again.unchanged).toBe(1);
  const refused = await importFile(client, 'sales_ProductTag', { fileRef }).catch((error: unknown) => error);
  expect(((refused as RestError).body as ImportReport).errors).toHaveLength(1);
});
