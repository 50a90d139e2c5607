import type { Principal, TicketRequest } from '@lintel/contracts';
import { createFileTickets } from './file-tickets.ts';

const issued: TicketRequest[] = [];
const fileTickets = createFileTickets(
  {
    async issue(request) {
      issued.push(request);
      return { ticket: 'T', expiresIn: 60 };
    },
  },
  '/rest/files',
);
const caller = (kind: Principal['kind']) => ({ principal: { kind } as Principal, token: 'jwt' });
const FILE = 'fs://2026/11/29/a.txt?name=Caf%C3%A9+1.txt';

// Asserts contract/tokens.md#file-tickets.
test('a ticket grants the file of its reference, for a URL as browsers send it', async () => {
  const { url, expiresIn } = await fileTickets(FILE, {}, caller('user'));
  const target = '/rest/files?fileRef=fs%3A%2F%2F2026%2F11%2F29%2Fa.txt%3Fname%3DCaf%25C3%25A9%2B1.txt';
  expect([url, expiresIn]).toEqual([`${target}&ticket=T`, 60]);
  expect(new URL(url, 'http://x').searchParams.get('fileRef')).toBe(FILE);
  const request = { method: 'GET', url: target, subjectToken: 'jwt', file: 'fs://2026/11/29/a.txt' };
  expect(issued).toEqual([request]);
  expect((await fileTickets(FILE, { attachment: true }, caller('client'))).url).toBe(
    `${target}&attachment=true&ticket=T`,
  );
});

// Asserts contract/tokens.md#file-tickets.
test.each([
  ['anonymous', FILE, 'ACCESS_DENIED'],
  ['user', 'no reference', 'FILE_INVALID_REFERENCE'],
  ['user', 'fs://2026/11/29/a.txt', 'FILE_INVALID_REFERENCE'],
  ['user', `fs://2026/11/29/a.txt?name=${'x'.repeat(8_000)}`, 'REQ_INVALID_PARAMETER'],
] as const)('for %s and %.30s none is issued: %s', async (kind, fileRef, code) => {
  issued.length = 0;
  await expect(fileTickets(fileRef, {}, caller(kind))).rejects.toMatchObject({ code });
  expect(issued).toEqual([]);
});
