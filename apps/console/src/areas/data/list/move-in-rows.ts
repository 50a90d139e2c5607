import type { KeyboardEvent } from 'react';

/** Leads from the link of a row to that of another one by arrow keys; the space bar calls the function with the row. */
export function moveInRows(event: KeyboardEvent<HTMLTableElement>, onSpace: (row: number) => void): void {
  const { key, currentTarget } = event;
  const target = event.target as HTMLElement;
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const links = [...currentTarget.querySelectorAll<HTMLElement>('a[data-row]')];
  const at = links.indexOf(target);
  if (at < 0) return;
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: links.length - 1 }[key];
  if (next === undefined && key !== ' ') return;
  event.preventDefault();
  if (next === undefined) onSpace(at);
  else links[next]?.focus();
}
