/** Whether each word of the input is in one of the texts, without regard to case. */
export function matchesWords(input: string, ...texts: readonly string[]): boolean {
  const all = texts.join(' ').toLocaleLowerCase();
  return input
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}
