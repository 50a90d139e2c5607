/** A part of a pattern: a code point, any one character, or any number of them. */
type Part = string | typeof ANY | typeof REST;

const ANY = Symbol('_');
const REST = Symbol('%');

/**
 * Whether a text matches a pattern, case-sensitive as in the database: `%` matches any text, `_` one character. The
 * number of steps is at most the product of both lengths for any pattern, since patterns come from instances and
 * callers.
 *
 * @param escapeCharacter the character that escapes the next one; an empty text: none does
 */
export function isLike(text: string, pattern: string, escapeCharacter: string): boolean {
  const [characters, parts] = [[...text], partsOf(pattern, escapeCharacter)];
  let [at, part] = [0, 0];
  // The state after the latest `%`: its match is extended when the rest does not fit. The match of an earlier `%`
  // need not be extended again, since the latest one can match everything that it could.
  let retry: { at: number; readonly part: number } | undefined;
  while (at < characters.length) {
    const wanted = parts[part];
    if (wanted === REST) {
      part += 1;
      retry = { at, part };
    } else if (wanted !== undefined && (wanted === ANY || wanted === characters[at])) {
      at += 1;
      part += 1;
    } else if (retry === undefined) {
      return false;
    } else {
      retry.at += 1;
      [at, part] = [retry.at, retry.part];
    }
  }
  return parts.slice(part).every((left) => left === REST);
}

function partsOf(pattern: string, escapeCharacter: string): readonly Part[] {
  const parts: Part[] = [];
  let isEscaped = false;
  for (const character of pattern) {
    if (!isEscaped && character === escapeCharacter) {
      isEscaped = true;
      continue;
    }
    if (!isEscaped && character === '%') parts.push(REST);
    else if (!isEscaped && character === '_') parts.push(ANY);
    else parts.push(character);
    isEscaped = false;
  }
  return parts;
}
