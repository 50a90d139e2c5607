/** Names the parameters (`query.limt`) and members (`body.lines.nam`) of a request that had no effect. */
export const IGNORED_HEADER = 'X-Ignored';

/** Names of one request that are reported; `*` stands for more. */
export const MAX_IGNORED = 20;

/** Characters of one name. */
export const MAX_IGNORED_LENGTH = 60;

/** The value of the header: visible ASCII only, and short, whatever the client has sent. */
export function ignoredText(where: 'query' | 'body', names: readonly string[]): string {
  const shown = names.slice(0, MAX_IGNORED).map((name) => `${where}.${safe(name)}`);
  return [...shown, ...(names.length > MAX_IGNORED ? ['*'] : [])].join(', ');
}

const safe = (name: string): string =>
  name
    .slice(0, MAX_IGNORED_LENGTH)
    .toWellFormed()
    .replace(/[^\w.$+-]/gu, (character) => encodeURIComponent(character).replace(/[!'()*~]/g, '_'));
