import { csvLine } from './csv.ts';

test.each([
  [['a', 'b'], 'a,b'],
  [['', ''], ','],
  [['a,b', 'say "x"', 'two\nlines'], '"a,b","say ""x""","two\nlines"'],
  [['=1+1', '@SUM(A1)', '+cmd|calc', '-2+3'], "'=1+1,'@SUM(A1),'+cmd|calc,'-2+3"],
  [['=HYPERLINK("http://x","y")'], `"'=HYPERLINK(""http://x"",""y"")"`],
  [['\t=1', '\r=1'], `'\t=1,"'\r=1"`],
  [['＝1+1', '＠SUM(A1)', '\n=1'], `'＝1+1,'＠SUM(A1),"'\n=1"`],
  [['-12.50', '+3', '-1e9', '2026-11-26'], '-12.50,+3,-1e9,2026-11-26'],
])('%j is the line %j', (cells, line) => {
  expect(csvLine(cells)).toBe(`${line}\r\n`);
});
