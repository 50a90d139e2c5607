import { nextIteration } from '@lintel/timing';
import { startReports, UNCODED_ID } from '../../test/reports-fixture.ts';

// Asserts contract/reports.md#copy.
test('copies wait for a slot of a run', async () => {
  let running = 0;
  let maximum = 0;
  const server = await startReports(() => {}, {
    copies: {
      documents: {
        store: async ({ name, contentType }) => {
          running += 1;
          maximum = Math.max(maximum, running);
          for (let at = 0; at < 100; at += 1) await nextIteration();
          running -= 1;
          return { fileRef: `fs://2026/11/21/1?name=${name}`, name, contentType, size: 1 };
        },
        remove: async () => {},
      },
      writeReport: async () => ({ status: 201, body: { id: UNCODED_ID } }),
    },
  });
  const copy = async (): Promise<number> => {
    const headers = { authorization: 'Bearer editor' };
    const body = JSON.stringify({ name: 'Copy' });
    const path = `/rest/reports/report/${UNCODED_ID}/copy`;
    return (await fetch(`${server.url}${path}`, { method: 'POST', headers, body })).status;
  };
  const statuses = await Promise.all(Array.from({ length: 20 }, copy));
  await server.close();
  expect(new Set(statuses)).toEqual(new Set([201]));
  expect(maximum).toBeLessThanOrEqual(8);
});
