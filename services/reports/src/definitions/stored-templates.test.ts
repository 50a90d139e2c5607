import { buildModel } from '@lintel/metadata';
import { zipSync } from 'fflate';
import { TemplateMemory } from '../limits/template-memory.ts';
import { loadStored, type StoredReport } from './stored-reports.ts';

const model = buildModel({ entities: [], enums: [], fetchPlans: [] });
const KNOWN = { model, resourceRoles: new Map(), reportGroups: [] };
const limits = { maxTags: 5_000 };
const SIZE = 1_000;

const stored = (name: string): StoredReport => ({
  ...{ id: '11111111-1111-4111-8111-111111111111', name: 'Stored', code: 'stored', group: null, restAccess: true },
  definition: JSON.stringify({ bands: [{ name: 'A' }] }),
  templates: [{ code: 'DEFAULT', outputType: 30, isDefault: true, name, content: 'ref', outputNamePattern: null }],
});

/** A report with one template, and its uses. */
function reportOf(name: string) {
  const report = loadStored(stored(name), KNOWN);
  const [template] = report.definition.templates;
  if (template === undefined) throw new Error('The report has no template');
  const reads: string[] = [];
  const compile = (memory: TemplateMemory, bytes: Uint8Array, signal = new AbortController().signal) =>
    report.compile(template, {
      readFile: async (fileRef) => {
        reads.push(fileRef);
        return bytes;
      },
      ...{ limits, memory, signal },
    });
  return { compile, reads };
}

const page = new TextEncoder().encode('x'.repeat(SIZE));
const memoryOf = (maxBytes: number) => new TemplateMemory({ maxBytes, maxWaitMs: 600_000 });

test('a template is read once while the memory for templates suffices', async () => {
  const memory = memoryOf(SIZE);
  const first = reportOf('a.html');
  for (const _ of [1, 2]) (await first.compile(memory, page)).release();
  expect(first.reads).toHaveLength(1);
  (await reportOf('b.html').compile(memory, page)).release();
  expect(memory.bytes).toBe(SIZE);
  (await first.compile(memory, page)).release();
  expect(first.reads).toHaveLength(2);
});

test('templates of several reports are not unpacked together beyond the limit: the next run waits', async () => {
  const memory = memoryOf(SIZE);
  const first = await reportOf('a.html').compile(memory, page);
  const other = reportOf('b.html');
  const leaving = new AbortController();
  const second = other.compile(memory, page, leaving.signal);
  // The run that waits is not ended by a run of the same report that leaves.
  const third = other.compile(memory, page);
  leaving.abort(new Error('the client left'));
  await expect(second).rejects.toThrow('the client left');
  expect(memory.bytes).toBe(SIZE);
  first.release();
  expect((await third).template.kind).toBe('liquid');
  expect(memory.bytes).toBe(SIZE);
});

test('a package counts unpacked, before it is unpacked, and gives its memory back where it is wrong', async () => {
  const memory = memoryOf(2 * SIZE);
  const archive = zipSync({ 'word/document.xml': new Uint8Array(SIZE), 'other.xml': new Uint8Array(SIZE + 1) });
  await expect(reportOf('a.docx').compile(memory, archive)).rejects.toThrow(
    'it has 2001 bytes in memory; 2000 are allowed',
  );
  const small = zipSync({ 'other.xml': new Uint8Array(SIZE) });
  await expect(reportOf('a.docx').compile(memory, small)).rejects.toThrow();
  expect(memory.bytes).toBe(0);
});

test('cells of workbooks count with what they take when they are parsed, of a part at most 100,000', async () => {
  const refusal = (size: number) =>
    reportOf('a.xlsx').compile(memoryOf(1), zipSync({ 'xl/worksheets/sheet1.xml': new Uint8Array(size) }));
  await expect(refusal(SIZE)).rejects.toThrow('it has 36000 bytes in memory; 1 are allowed');
  await expect(refusal(SIZE * SIZE)).rejects.toThrow('it has 15000000 bytes in memory; 1 are allowed');
});
