/** What this needs of markdown-it. */
interface Renderer {
  readonly renderer: { readonly rules: Record<string, unknown> };
  readonly utils: { escapeHtml(text: string): string };
}
type Rule = (tokens: readonly { readonly content: string }[], index: number) => string;

/** HTML that pages use: anchors, comments, line breaks in tables. */
const ALLOWED = /^(<a id="[^"]*">|<\/a>|<!--[\s\S]*-->|<br>)\s*$/;

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
  Object.assign(markdown.renderer.rules, { text, code_inline: code, html_inline: html });
}

const withoutExpressions = (text: string): string => text.replaceAll('{{', '&#123;&#123;');
