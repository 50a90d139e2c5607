import type { Page } from 'playwright-core';

/** A page with more stops has a trap. */
const MAX_STOPS = 1_500;
/** A field of a time has a stop for each of its parts. */
const MAX_PARTS = 12;

interface Stop {
  /** The element, for messages. */
  readonly html: string;
  /** What a user sees of the focus: the styles of the element and of what is around it. */
  readonly look: string;
  readonly hasName: boolean;
  readonly isInView: boolean;
  /** Whether it had the focus before: at the begin of the page, where the walk ends; just now; or in between. */
  readonly seen: 'never' | 'first' | 'last' | 'earlier';
}

interface Step {
  /** How the stop before looks without the focus. */
  readonly before: string | undefined;
  /** Absent at the end of the page. */
  readonly stop: Stop | undefined;
}

/** In the page. */
const BEGIN = `(() => {
  // The styles are final at once; a style element would need the nonce of the page.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('*, *::before, *::after { transition: none !important; animation: none !important }');
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  document.activeElement?.blur();
  globalThis.walk = {
    seen: [],
    lookOf: (element) => [element, element.parentElement, element.parentElement?.parentElement, element.nextElementSibling, element.firstElementChild]
      .filter((each) => each != null)
      .map((each) => {
        const { outline, boxShadow, borderColor, backgroundColor, stroke, strokeWidth, insetBlockStart } = getComputedStyle(each);
        return [outline, boxShadow, borderColor, backgroundColor, stroke, strokeWidth, insetBlockStart].join(' ');
      }).join(),
    nameOf: (element) => [
      ...['aria-label', 'title', 'placeholder'].map((name) => element.getAttribute(name)),
      element.textContent,
      ...[...(element.labels ?? [])].map(({ textContent }) => textContent),
      ...(element.getAttribute('aria-labelledby') ?? '').split(' ').map((id) => document.getElementById(id)?.textContent),
    ].join('').trim(),
  };
})()`;
const STEP = `(() => {
  const { walk } = globalThis;
  const before = walk.last && walk.lookOf(walk.last);
  const element = document.activeElement;
  if (element === null || element === document.body) return { before };
  const at = walk.seen.indexOf(element);
  const seen = at < 0 ? 'never' : element === walk.last ? 'last' : at === 0 ? 'first' : 'earlier';
  walk.seen.push(element);
  walk.last = element;
  const { top, bottom, width, height } = element.getBoundingClientRect();
  return { before, stop: {
    html: element.outerHTML.slice(0, 160),
    look: walk.lookOf(element),
    hasName: walk.nameOf(element) !== '',
    isInView: width > 0 && height > 0 && bottom > 0 && top < innerHeight,
    seen,
  } };
})()`;

/**
 * Goes through a page with the tabulator, from its begin to its end. Returns what is wrong: stops without a visible
 * focus, without a name or out of view, and a page that does not end.
 */
export async function walkPage(page: Page): Promise<readonly string[]> {
  const problems: string[] = [];
  await page.evaluate(BEGIN);
  let last: Stop | undefined;
  let parts = 0;
  for (let count = 0; count < MAX_STOPS; count++) {
    await page.keyboard.press('Tab');
    const { before, stop } = await page.evaluate<Step>(STEP);
    parts = stop?.seen === 'last' ? parts + 1 : 0;
    if (parts > 0 && parts < MAX_PARTS) continue;
    if (last !== undefined && last.look === before) problems.push(`no visible focus: ${last.html}`);
    if (stop === undefined) return count === 0 ? ['no stop at all'] : problems;
    if (stop.seen === 'first') return problems;
    if (stop.seen !== 'never') return [...problems, `the focus does not leave: ${stop.html}`];
    if (!stop.hasName) problems.push(`no name: ${stop.html}`);
    if (!stop.isInView) problems.push(`out of view: ${stop.html}`);
    last = stop;
  }
  return [...problems, `more than ${MAX_STOPS} stops`];
}
