interface Token {
  readonly type: string;
  readonly content: string;
  tag: string;
}

/** What this needs of markdown-it. */
interface Renderer {
  readonly core: { readonly ruler: { push(name: string, rule: (state: { readonly tokens: Token[] }) => void): void } };
  readonly renderer: { readonly rules: Record<string, unknown> };
  readonly utils: { escapeHtml(text: string): string };
}
type Rule = (tokens: readonly { readonly content: string }[], index: number) => string;

/** HTML that pages use: anchors, comments, line breaks in tables; and the text of the links of headings. */
const ALLOWED = /^(<a id="[^"]*">|<\/a>|<!--[\s\S]*-->|<br>|&ZeroWidthSpace;)\s*$/;

/**
 * Pages are compiled as templates of Vue. Braces in their text are no expressions, and of HTML only anchors, comments
 * and line breaks are taken: the rest is text.
 */
export function escapeForVue(markdown: Renderer): void {
  const text: Rule = (tokens, index) => withoutExpressions(markdown.utils.escapeHtml(tokens[index]?.content ?? ''));
  const html: Rule = (tokens, index) => {
    const content = tokens[index]?.content ?? '';
    return ALLOWED.test(content) ? content : withoutExpressions(markdown.utils.escapeHtml(content));
  };
  const code: Rule = (tokens, index) => `<code>${text(tokens, index)}</code>`;
  markdown.core.ruler.push('empty-headings', ({ tokens }) => {
    for (const [index, token] of tokens.entries()) if (token.type === 'th_open') withoutEmptyHeading(tokens, index);
  });
  Object.assign(markdown.renderer.rules, { text, code_inline: code, html_inline: html });
}

const withoutExpressions = (text: string): string => text.replaceAll('{{', '&#123;&#123;');

/** The corner of a table is a cell: a heading without text says nothing to a screen reader. */
function withoutEmptyHeading(tokens: readonly Token[], index: number): void {
  const [heading, content, end] = tokens.slice(index, index + 3);
  if (heading === undefined || end === undefined || content?.content !== '') return;
  heading.tag = 'td';
  end.tag = 'td';
}
