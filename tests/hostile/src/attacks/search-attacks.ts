import type { Attack } from './attack.ts';

/** Searched texts (H6). */
export const SEARCH_ATTACKS: readonly Attack[] = (
  [
    ['a word of 200 characters', 'x'.repeat(200), 200],
    ['100 words of one letter', 'a '.repeat(100), 200],
    ['a text of 201 characters', 'x'.repeat(201), 400],
    ['nothing but operators', '&|!():*<->', 400],
    ['an operator after each word', "a & !b | c:* <-> 'd \\", 200],
    ['a text with zeros and half characters', '\u0000a\ud800', 200],
    ['letters of many scripts', 'ﷺﷺ हिन्दी ไทย 日本 Ĳ ½ \uff07', 200],
  ] as const
).flatMap(([title, q, status]) =>
  ['/rest/search', '/rest/entities/sales_Customer'].map(
    (path): Attack => ({
      finding: 'H6',
      title: `a search at ${path}: ${title}`,
      sender: 'manager',
      run: async ({ send }) => [
        await send({ method: 'GET', path: `${path}?${new URLSearchParams({ q })}&limit=50&highlights=true` }),
      ],
      statuses: [status],
    }),
  ),
);
