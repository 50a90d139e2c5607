import { escapeForVue } from './escape-for-vue.ts';

type Rule = (tokens: readonly { readonly content: string }[], index: number) => string;

const rules: Record<string, Rule> = {};
escapeForVue({
  core: { ruler: { push: () => undefined } },
  renderer: { rules },
  utils: { escapeHtml: (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;') },
});
const rendered = (rule: string, content: string): string | undefined => rules[rule]?.([{ content }], 0);

test.each(['<a id="x">', '</a>', '<br>', '<!-- a comment -->', '&ZeroWidthSpace;'])('%s stays HTML', (html) => {
  expect(rendered('html_inline', html)).toBe(html);
});

test.each([
  ['<script>', '&lt;script>'],
  ['&nbsp;', '&amp;nbsp;'],
  ['<a id="x" onclick="y">', '&lt;a id="x" onclick="y">'],
  ['{{ name }}', '&#123;&#123; name }}'],
])('%s becomes text', (html, text) => {
  expect(rendered('html_inline', html)).toBe(text);
});
