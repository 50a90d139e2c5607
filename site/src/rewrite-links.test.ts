import { ROOT } from './paths.ts';
import { rewriteLinks } from './rewrite-links.ts';

const rewritten = (text: string, file: string, url?: string): string => rewriteLinks(text, file, { root: ROOT, url });

test('links to pages stay relative, and lead to the files that pages become', () => {
  expect(rewritten('[a](../adr/README.md#x) [b](../../README.md#deploy) [c](#x)', 'docs/guide/reading.md')).toBe(
    '[a](../adr/index.md#x) [b](../start.md#deploy) [c](#x)',
  );
  expect(rewritten('[a](docs/guide/reading.md) [b](CHANGELOG.md) [c](https://example.com)', 'README.md')).toBe(
    '[a](./guide/reading.md) [b](./changelog.md) [c](https://example.com)',
  );
  expect(rewritten('[guides](../guide) ![i](../images/reports/x.png)', 'docs/contract/README.md')).toBe(
    '[guides](../guide/index.md) ![i](../images/reports/x.png)',
  );
});

test('a picture is part of its page, and a link to it leads to the static file', () => {
  expect(rewritten('[![p](images/a.svg)](images/a.svg) [s](reference/openapi/rest.json)', 'docs/architecture.md')).toBe(
    '[![p](./images/a.svg)](/images/a.svg) [s](/reference/openapi/rest.json)',
  );
});

test('other files are linked in the repository, or are text if its address is unknown', () => {
  const text = 'See [`a` [b]](../libs/errors/src/codes.ts).';
  expect(rewritten(text, 'docs/security.md', 'https://git.example/lintel/blob/main')).toBe(
    'See [`a` [b]](https://git.example/lintel/blob/main/libs/errors/src/codes.ts).',
  );
  expect(rewritten(text, 'docs/security.md')).toBe('See `a` [b].');
});
