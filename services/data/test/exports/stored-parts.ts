import { defineApplication } from '@lintel/application';
import { standardEntity, string } from '@lintel/metadata';
import type { StoredFiles } from '../../src/unreferenced-files/stored-files.ts';
import type { TestUser } from '../data-fixture.ts';

/** Nothing in the model refuses a row that is imported twice. */
export const partsApplication = defineApplication({
  id: 'k',
  name: 'Parts',
  entities: [standardEntity('k_Part', { attributes: { code: string(20).mandatory() } })],
});

export const USER_ID = '01890000-0000-7000-8000-0000000000a1';
export const users: Readonly<Record<string, TestUser>> = {
  ada: { resourceRoles: ['system-full-access'], userId: USER_ID },
};

export const PARTS = 30_000;
/** A row with a value that is too long. */
export const REFUSED_ROW = 2_500;
export const FILE_REF = 'fs://2026/11/21/1.csv?name=parts.csv';

const file = Buffer.from(
  `code\n${Array.from({ length: PARTS }, (_, at) => (at + 1 === REFUSED_ROW ? 'K'.repeat(21) : `K${at + 1}`)).join('\n')}\n`,
);

/** One stored file, which every process has. */
export const storedParts: StoredFiles = {
  store: () => Promise.reject(new Error('Nothing is stored')),
  list: async () => ({ files: [], next: null }),
  describe: async () => [
    { storage: 'fs', path: '2026/11/21/1.csv', size: file.length, lastModified: '2026-11-21T00:00:00Z' },
  ],
  read: async (_fileRef, part) => file.subarray(part?.from, part && part.from + part.bytes),
  remove: async () => {},
};
