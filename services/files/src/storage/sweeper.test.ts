import { createLogger } from '@lintel/telemetry';
import type { BlobStore } from './blob-store.ts';
import { createFileStorages } from './settings/file-storages.ts';
import { createSweeper } from './sweeper.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');

const storeThat = (removeAbandoned: BlobStore['removeAbandoned']): BlobStore =>
  ({ removeAbandoned, incoming: { ids: async () => [] } }) as unknown as BlobStore;

// Asserts contract/files.md#storages.
test('sweeps every storage of what is a day old, at the start, whether or not another one fails', async () => {
  const asked: Date[] = [];
  const lines: string[] = [];
  const stores = [
    storeThat(() => Promise.reject(Object.assign(new Error('down'), { code: 'ECONNREFUSED' }))),
    storeThat(async (before) => {
      asked.push(before);
      return 2;
    }),
  ];
  const sweeper = createSweeper({
    storages: createFileStorages(
      stores.map((store, index) => ({ name: `s${index}`, store, maxFileSizeBytes: 1 })),
      's0',
    ),
    clock: { now: () => NOW },
    logger: createLogger({ service: 'files', destination: { write: (line: string) => lines.push(line) } }),
  });
  sweeper.start();
  await sweeper.stop();
  expect(asked).toEqual([new Date('2026-11-20T12:00:00Z')]);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    storage: 's0',
    reason: 'connection refused',
    property: 'svc.files.storage.s0',
  });
});
