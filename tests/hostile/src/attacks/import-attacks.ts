import type { Attack } from './attack.ts';

/** Tables to be imported (H4). */
export const IMPORT_ATTACKS: readonly Attack[] = (
  [
    ['a file of 9 MB whose rows are refused is read until it stops', 150_000, 200],
    ['a file of 11 MB is refused', 190_000, 413],
    ['a row of 2 MB is refused', 0, 400],
  ] as const
).map(
  ([title, rows, status]): Attack => ({
    finding: 'H4',
    title: `an import: ${title}`,
    sender: 'manager',
    run: async ({ send }) => [
      await send({
        method: 'POST',
        path: '/rest/imports/sales_Customer?dryRun=true',
        headers: { 'content-type': 'text/csv' },
        body: rows === 0 ? `name\n"${'x'.repeat(2_000_000)}"\n` : `name,email\n${`,${'x'.repeat(58)}\n`.repeat(rows)}`,
      }),
    ],
    statuses: [status],
  }),
);
