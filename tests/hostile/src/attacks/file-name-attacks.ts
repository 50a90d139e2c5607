import { type Attack, atOnce } from './attack.ts';
import { PATHS, query } from './request-shapes.ts';

const PART = (disposition: string): string =>
  `--b\r\nContent-Disposition: form-data; ${disposition}\r\nContent-Type: text/plain\r\n\r\ntext\r\n--b--\r\n`;
const NAMES: readonly (readonly [title: string, disposition: string, statuses: Attack['statuses']])[] = [
  ['of 255 characters is stored', `name="file"; filename="${'n'.repeat(251)}.txt"`, [201]],
  ['of 256 characters is refused', `name="file"; filename="${'n'.repeat(252)}.txt"`, [400]],
  ['of 10,000 characters is refused', `name="file"; filename="${'n'.repeat(10_000)}.txt"`, [400]],
  ['with control characters is refused', 'name="file"; filename="a\u0001b.txt"', [400]],
  ["that is utf-8''%00 is refused", `name="file"; filename*=utf-8''%00`, [400]],
  ['that is not UTF-8 is refused, or stored', `name="file"; filename*=utf-8''%ff%fe`, [201, 400]],
];

/** Names of files (H1). */
export const FILE_NAME_ATTACKS: readonly Attack[] = [
  ...NAMES.map(
    ([title, disposition, statuses]): Attack => ({
      finding: 'H1',
      title: `a form with a file name ${title}`,
      sender: 'manager',
      run: ({ send }) =>
        atOnce(3, 3, () =>
          send({
            method: 'POST',
            path: PATHS.files,
            headers: { 'content-type': 'multipart/form-data; boundary=b' },
            body: PART(disposition),
          }),
        ),
      statuses,
    }),
  ),
  {
    finding: 'H1',
    title: 'a raw upload with a name of 5,000 characters is refused',
    sender: 'manager',
    run: async ({ send }) => [
      await send({
        method: 'POST',
        path: `${PATHS.files}${query({ name: `${'n'.repeat(5_000)}.txt` })}`,
        headers: { 'content-type': 'text/plain' },
        body: 'text',
      }),
    ],
    statuses: [400],
  },
  {
    finding: 'H1',
    title: 'a form of 10,000 parts is refused',
    sender: 'manager',
    run: async ({ send }) => [
      await send({
        method: 'POST',
        path: PATHS.files,
        headers: { 'content-type': 'multipart/form-data; boundary=b' },
        body: `${'--b\r\nContent-Disposition: form-data; name="p"\r\n\r\nx\r\n'.repeat(10_000)}--b--\r\n`,
      }),
    ],
    statuses: [400, 413],
  },
];
