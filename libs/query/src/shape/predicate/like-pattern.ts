/** A part of a pattern: a code point, any one character, or any number of them. */
type Part = string | typeof ANY | typeof REST;

const ANY = Symbol('_');
const REST = Symbol('%');

/**
 * Whether a text is like a pattern, case-sensitive as in the database: `%` stands for any text, `_` for one
 * character. Takes at most as many steps as the lengths of both multiplied, whatever the pattern: it may come
 * from an instance or from the caller.
 *
 * @param mark the character that takes the next one's meaning away; an empty text: none does
 */
export function isLike(text: string, pattern: string, mark: string): boolean {
  const [characters, parts] = [[...text], partsOf(pattern, mark)];
  let [at, part] = [0, 0];
  // Behind the last `%` that was met: what it stands for grows when the rest does not fit. Earlier ones need
  // not grow again, for the last one can stand for everything that they could.
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

function partsOf(pattern: string, mark: string): readonly Part[] {
  const parts: Part[] = [];
  let isEscaped = false;
  for (const character of pattern) {
    if (!isEscaped && character === mark) {
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
