import { useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useText } from '../context.ts';

/**
 * When another page is shown, the focus is in its content if the element that had it is gone; the title of the tab, and
 * of the page in the history, is that of the page.
 */
export function usePageChanges(): void {
  const text = useText();
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  const shown = useRef(path);
  useEffect(() => {
    const isFirst = shown.current === undefined || shown.current === path;
    shown.current = path;
    if (!isFirst && document.activeElement === document.body)
      document.getElementById('content')?.focus({ preventScroll: true });
  }, [path]);
  useEffect(() => {
    const content = document.getElementById('content');
    if (content === null) return undefined;
    const name = (): void => {
      const title = content.querySelector('h1')?.textContent ?? '';
      const all = [title, text('console.title')].filter((part) => part !== '').join(' – ');
      if (document.title !== all) document.title = all;
    };
    name();
    const observer = new MutationObserver(name);
    observer.observe(content, { childList: true, subtree: true, characterData: true });
    return () => observer.disconnect();
  }, [text]);
}
