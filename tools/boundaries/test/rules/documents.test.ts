import { violationsOf } from '../violations-of.ts';

describe('citations of the contract', () => {
  const contract = {
    'docs/contract/filters.md': '# Filters\n\n<a id="values"></a>\n## Values\n\n<a id="paths"></a>\n## Paths\n',
    'docs/contract/decisions.md': '| <a id="3"></a>3 | dates |\n| <a id="15"></a>15 | numbers |\n',
  };
  const file = 'libs/http/src/a.ts';
  const violations = (text: string, path = file) =>
    violationsOf('citations-resolve', { ...contract, [path]: text }).filter((one) => !one.startsWith('docs/contract/'));

  test.each([
    '/** Values (contract/filters.md#values). */',
    '/** Exact (contract/filters.md#values, #paths, contract/decisions.md#3, #15). */',
    '/**\n * Exact (contract/decisions.md#3,\n * #15).\n */',
    "test('values (contract/decisions.md#3 and #15)', () => undefined);",
    '// RFC 9110 §13.1.2, NIST SP 800-38D §8.3, WHATWG HTML §9.2, W3C Trace Context §3.3',
    '/**\n * Ranges (RFC 9110\n * §14.1.2).\n */',
    '// A decision of the caller, docs/adr/0033, the specification of a container',
  ])('%j is a citation that resolves, or none', (text) => {
    expect(violations(text)).toEqual([]);
  });

  test.each([
    ['// contract/filters.md#value', 'contract/filters.md#value,'],
    ['// (contract/filters.md#values, #path)', 'contract/filters.md#path,'],
    ['// (contract/decisions.md#3,\n// #16)', 'contract/decisions.md#16,'],
    ['// contract/filter.md#values', 'contract/filter.md, which is not there'],
    ['// decisions.md 37', 'a decision without'],
    ["test('empty body (decision 1)', () => undefined);", 'a decision without'],
    ['// contract §5.3', 'a section by its number'],
    ['// contract-security-core.md', 'a document by its old name'],
    ['// specification 4.3', 'a section of a specification'],
    ['// design/performance.md', 'a design document'],
    ['/**\n * Of the API,\n * §14.1.2.\n */', 'a section by its number'],
  ])('%j is refused: %s', (text, what) => {
    expect(violations(text)).toEqual([expect.stringContaining(what)]);
  });

  test('links of documents are citations, too', () => {
    const text = '[values](../contract/filters.md#values) and [others](../contract/filters.md#others)';
    expect(violations(text, 'docs/guide/reading.md')).toEqual([
      'docs/guide/reading.md:1 cites contract/filters.md#others, an anchor that the page does not have',
    ]);
  });

  test('links between pages of the contract lead to a page and an anchor, and an anchor is there once', () => {
    const page =
      '<a id="one"></a>\n[a](filters.md#values) [b](#one) [c](https://example.org)\n[d](filters.md#one)\n[e](gone.md)\n<a id="one"></a>';
    expect(violationsOf('citations-resolve', { ...contract, 'docs/contract/a.md': page })).toEqual([
      'docs/contract/a.md:3 links to filters.md#one, which is not there',
      'docs/contract/a.md:4 links to gone.md, which is not there',
      'docs/contract/a.md:5 has the anchor one twice',
    ]);
  });
});

describe('the map of the code', () => {
  const sources = { 'libs/http/src/server/a.ts': '', 'libs/http/src/health/a.ts': '', 'libs/http/src/index.ts': '' };
  const violations = (...rows: readonly string[]) =>
    violationsOf('architecture-names-folders', { ...sources, 'docs/architecture.md': rows.join('\n') }).filter((one) =>
      /libs\/(http|gone)/.test(one),
    );

  test('names every folder of a package once', () => {
    expect(violations('| `libs/http` | `server` `health` | answers `GET`, `health` | `a.ts` |')).toEqual([]);
    expect(violations('| `libs/http` | `server` `server` `left` | x |', '| `libs/gone` | none | x |')).toEqual([
      'docs/architecture.md:1 does not name libs/http/src/health',
      'docs/architecture.md:1 names libs/http/src/server twice',
      'docs/architecture.md:1 names libs/http/src/left, which is not there',
      'docs/architecture.md:2 describes libs/gone, which is not there',
    ]);
  });

  test('has one row for a package', () => {
    expect(violations('nothing')).toEqual(['docs/architecture.md:1 has no row for libs/http']);
    const row = '| `libs/http` | `server` `health` | x |';
    expect(violations(row, row)).toEqual(['docs/architecture.md:2 describes libs/http twice']);
  });

  test('is there where documents are', () => {
    expect(violationsOf('architecture-names-folders', { 'docs/security.md': '' })).toEqual([
      'docs/architecture.md:1 is missing',
    ]);
    expect(violationsOf('architecture-names-folders', {})).toEqual([]);
  });
});

describe('the vocabulary', () => {
  const violations = (...rows: readonly string[]) =>
    violationsOf('vocabulary-names-files', {
      'libs/a/src/b/c.ts': '',
      'docs/guide/d.md': '',
      'docs/vocabulary.md': ['| Term | Meaning | Where |', '|---|---|---|', ...rows].join('\n'),
    });

  test('names files and folders, and links to pages', () => {
    expect(violations('| x | a text ([guide](guide/d.md#e)) | `libs/a/src/b`, `libs/a/src/b/c.ts` |')).toEqual([]);
    expect(
      violations('| x | a ([b](guide/gone.md)) | `libs/a/src/gone.ts` |', '| y | b | nothing |', '| z | c |'),
    ).toEqual([
      'docs/vocabulary.md:3 links to guide/gone.md, which is not there',
      'docs/vocabulary.md:3 names libs/a/src/gone.ts, which is not there',
      'docs/vocabulary.md:4 names no file or folder of y',
      'docs/vocabulary.md:5 has a row without three cells',
    ]);
  });

  test('has each term once, in order', () => {
    const row = (term: string) => `| ${term} | a | \`libs/a\` |`;
    expect(violations(row('a b'), row('a-c'), row('B'), row('c'))).toEqual([]);
    expect(violations(row('c'), row('a'), row('a'))).toEqual([
      'docs/vocabulary.md:4 has a after c: terms are sorted, each once',
      'docs/vocabulary.md:5 has a after a: terms are sorted, each once',
    ]);
  });
});

describe('pages of decisions', () => {
  const file = 'docs/adr/0007-tokens.md';
  const index = '7. [Tokens](0007-tokens.md)\n';
  const page = '# 7. Tokens\n\nDate: 2026-11-21. Status: accepted. Changed by [8](0008-roles.md).\n\n';
  const violations = (text: string, list = index) =>
    violationsOf('decision-pages', { 'docs/adr/README.md': list, [file]: text });

  test('with number, title, date and status, and in the list', () => {
    expect(violations(`${page}${'word '.repeat(390)}`)).toEqual([]);
  });

  test('words of tables do not count', () => {
    expect(violations(`${page}${'word '.repeat(390)}\n\n| rule | figure |\n|---|---|\n| word | 1 |\n`)).toEqual([]);
  });

  test.each([
    ['a number of another page', page.replace('# 7.', '# 8.'), 'begins with "# 8. Tokens", not with "# 7. <title>"'],
    ['no date', page.replace('Date: 2026-11-21. ', ''), 'has no line "Date: <year>-<month>-<day>. Status: …"'],
    ['a date that is none', page.replace('-11-', '-13-'), 'has no line "Date: <year>-<month>-<day>. Status: …"'],
    ['an unknown status', page.replace('accepted', 'used'), 'has no line "Date: <year>-<month>-<day>. Status: …"'],
    ['too many words', `${page}${'word '.repeat(391)}`, 'has 401 words, the maximum is 400'],
  ])('%s is refused', (_what, text, problem) => {
    expect(violations(text)).toEqual([`${file}:1 ${problem}`]);
  });

  test('a page with another title in the list, or without a row, is refused', () => {
    const problem = `docs/adr/README.md:1 does not list "7. [Tokens](0007-tokens.md)"`;
    expect(violations(page, '7. [Sessions](0007-tokens.md)\n')).toEqual([problem]);
    expect(violations(page, '')).toEqual([problem]);
  });
});

describe('tests of the rules of the contract', () => {
  const page =
    '# Filters\n\n<a id="values"></a>\n## Values\n\n* <a id="dates"></a>Dates.\n* <a id="numbers"></a>Numbers.\n\n<a id="paths"></a>\n## Paths\n';
  const violations = (test: string) =>
    violationsOf('contract-rules-have-tests', { 'docs/contract/filters.md': page, 'libs/query/src/a.test.ts': test });
  const without = (line: number, rule: string) =>
    `docs/contract/filters.md:${line} has the rule #${rule} without a test`;

  test('a rule without a test is named', () => {
    expect(violations('')).toEqual([
      without(3, 'values'),
      without(6, 'dates'),
      without(7, 'numbers'),
      without(9, 'paths'),
    ]);
  });

  test('a section has a test if a rule in it has one', () => {
    const cited = '// Asserts contract/filters.md#dates, #paths.\ntest("dates are read", () => undefined);';
    expect(violations(cited)).toEqual([without(7, 'numbers')]);
  });
});
