/** 1-based line of the first occurrence; 1 if there is none. */
export function lineOf(text: string, searched: string): number {
  const at = text.indexOf(searched);
  return at === -1 ? 1 : text.slice(0, at).split('\n').length;
}
