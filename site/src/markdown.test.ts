import { anchorOf, anchorsIn, linksOf, summaryOf, titleOf, withoutCode } from './markdown.ts';

test('links in code and in comments are no links, and positions stay', () => {
  const text = 'See [a](a.md), `[b](b.md)`,\n```sh\n[c](c.md)\n```\n<!-- [d](d.md) --> and [`e`](e.md#f)';
  expect(linksOf(text).map(({ target }) => target)).toEqual(['a.md', 'e.md#f']);
  expect(linksOf(text).every(({ target, start, end }) => text.slice(start, end) === target)).toBe(true);
  expect(withoutCode(text)).toHaveLength(text.length);
});

test('anchors are those of GitHub', () => {
  expect(anchorOf('`svc.data` – what, why?')).toBe('svcdata--what-why');
  expect([...anchorsIn('# A *b* `c`\n<a id="x"></a>\n## Limits\n```\n# no\n```\n## Limits\n')]).toEqual([
    'x',
    'a-b-c',
    'limits',
    'limits-1',
  ]);
});

test('title and summary have no formatting', () => {
  const page = '# The `x` page\n\n<!-- generated -->\n\n[Reads](r.md) **one** e.g. row: and more. Then.\n';
  expect([titleOf(page), summaryOf(page)]).toEqual(['The x page', 'Reads one e.g. row.']);
  expect(summaryOf('# T\n\n| a |\n')).toBe('');
});
