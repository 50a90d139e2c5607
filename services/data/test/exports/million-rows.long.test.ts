import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { defineApplication } from '@lintel/application';
import { integer, standardEntity, string } from '@lintel/metadata';
import type { StoredFiles } from '../../src/unreferenced-files/stored-files.ts';
import { startData } from '../data-fixture.ts';

const ROWS = 1_000_000;
const USER = '01890000-0000-7000-8000-0000000000a1';
const HEADER = Buffer.from('code,name,size\n');
/** Each row has 32 bytes, so that a part of the file is made when it is read. */
const rowOf = (at: number): string =>
  `P${String(at).padStart(8, '0')},name of a part,${String(at % 100_000).padStart(6, '0')}\n`;
const ROW_BYTES = Buffer.byteLength(rowOf(0));
const FILE = { storage: 'fs', path: '2026/11/21/parts.csv', size: HEADER.length + ROWS * ROW_BYTES };

const storedFiles: StoredFiles = {
  store: () => Promise.reject(new Error('Nothing is stored')),
  list: async () => ({ files: [], next: null }),
  describe: async () => [{ ...FILE, lastModified: '2026-11-21T00:00:00Z' }],
  async read(_fileRef, { from, bytes } = { from: 0, bytes: FILE.size }) {
    const [first, skipped] =
      from === 0 ? [0, 0] : [Math.floor((from - HEADER.length) / ROW_BYTES), (from - HEADER.length) % ROW_BYTES];
    const last = Math.min(ROWS, first + Math.ceil((skipped + bytes) / ROW_BYTES));
    const rows = Array.from({ length: last - first }, (_, at) => rowOf(first + at)).join('');
    return Buffer.from(`${from === 0 ? HEADER : ''}${rows}`).subarray(skipped, skipped + bytes);
  },
  remove: async () => {},
};

function usedMiB(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed / 1_048_576;
}

// Asserts contract/imports.md#background.
test('a million rows are imported, and the last ones need no more memory than the first', async () => {
  const entities = [
    standardEntity('l_Part', {
      attributes: { code: string(20).mandatory().unique(), name: string(50).mandatory(), size: integer().min(0) },
    }),
  ];
  const application = defineApplication({ id: 'l', name: 'A million rows', entities });
  const roles = { resourceRoles: ['system-full-access'], userId: USER };
  const data = await startData(application, { ada: roles }, {}, undefined, { storedFiles });
  try {
    await data.query(`INSERT INTO sec."user" (id, version, username, active) VALUES ('${USER}', 1, 'ada', true)`);
    await data.query(`INSERT INTO sec.role_assignment (id, version, username, role_code, role_type)
      VALUES (gen_random_uuid(), 1, 'ada', 'system-full-access', 'resource')`);
    await data.service.start();
    const body = { file: `fs://${FILE.path}?name=parts.csv`, type: 'text/csv' };
    const headers = { 'content-type': 'application/json' };
    const accepted = await data.send('ada', 'POST', '/imports/l_Part?refused=skip', body, headers);
    let run = accepted.json();
    let early: number | undefined;
    let late = 0;
    let begin = 0;
    while (['QUEUED', 'RUNNING'].includes(run.status)) {
      await sleep(1_000);
      run = (await data.send('ada', 'GET', `/service-runs/${run.id}`)).json();
      const { done = 0 } = run.progress ?? {};
      if (begin === 0 && done > 0) begin = Date.now();
      if (done > ROWS / 10) early ??= usedMiB();
      if (done > ROWS * 0.9) late = Math.max(late, usedMiB());
    }
    console.log(`${Math.round((ROWS / (Date.now() - begin)) * 1_000)} rows/s; memory ${early} MiB, then ${late} MiB`);
    expect(run).toMatchObject({ status: 'SUCCEEDED', result: { rows: ROWS, created: ROWS, refused: 0 } });
    expect(late - (early ?? 0)).toBeLessThan(20);
  } finally {
    await data.close();
  }
}, 3_600_000);
