import type { SyntheticEvent } from 'react';
import classes from '../reports.module.css';

interface HtmlFrameProps {
  readonly html: string;
  readonly title: string;
}

/**
 * An HTML document in a frame without scripts, forms and links. The policy of the page, which holds in the frame too,
 * permits no styles in the document: they are set by the object model, which it permits.
 */
export const HtmlFrame = ({ html, title }: HtmlFrameProps) => (
  <iframe srcDoc={html} sandbox="allow-same-origin" title={title} className={classes['frame']} onLoad={applyStyles} />
);

function applyStyles({ currentTarget }: SyntheticEvent<HTMLIFrameElement>): void {
  const { contentDocument: page, contentWindow: frame } = currentTarget;
  if (page === null || frame === null) return;
  const { CSSStyleSheet: Sheet } = frame as Window & { readonly CSSStyleSheet: typeof CSSStyleSheet };
  page.adoptedStyleSheets = [...page.querySelectorAll('style')].map(({ textContent }) => {
    const sheet = new Sheet();
    sheet.replaceSync(textContent ?? '');
    return sheet;
  });
  for (const element of page.querySelectorAll<HTMLElement>('[style]'))
    element.style.cssText = element.getAttribute('style') ?? '';
}
