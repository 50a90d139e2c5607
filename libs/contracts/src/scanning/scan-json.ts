const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const SPACE = 0x20;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** The size of a JSON text, counted without reading it. */
export interface JsonSize {
  /** Objects, and other items of arrays. */
  readonly nodes: number;
  /** Items of the outermost array; 0 where the text is no array. */
  readonly items: number;
  /** Largest number of arrays and objects that are open at a time. */
  readonly depth: number;
  /** Commas and opening brackets: at least as many values as the text has, but for one. */
  readonly values: number;
}

/**
 * Counts the parts of a JSON text in one pass that creates no values. Of a text that is not JSON the counts are
 * those of its brackets and commas; counting ends where the text is nested deeper than `maxDepth`.
 */
export function scanJson(text: string, maxDepth: number): JsonSize {
  let nodes = 0;
  let items = 0;
  let depth = 0;
  let values = 0;
  /** Whether each open bracket is that of an array. */
  const arrays: boolean[] = [];
  let isInArray = false;
  let isItem = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code <= SPACE) continue;
    if (code === COMMA) {
      values += 1;
      isItem = isInArray;
      continue;
    }
    if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) {
      arrays.pop();
      isInArray = arrays.at(-1) === true;
      isItem = false;
      continue;
    }
    if (isItem) {
      isItem = false;
      if (arrays.length === 1) items += 1;
      if (code !== OPEN_OBJECT) nodes += 1;
    }
    if (code === OPEN_ARRAY || code === OPEN_OBJECT) {
      values += 1;
      if (code === OPEN_OBJECT) nodes += 1;
      isInArray = code === OPEN_ARRAY;
      isItem = isInArray;
      arrays.push(isInArray);
      if (arrays.length > depth) depth = arrays.length;
      if (depth > maxDepth) return { nodes, items, depth, values };
    } else if (code === QUOTE) at = endOfText(text, at);
  }
  return { nodes, items, depth, values };
}

/** The position of the quote that ends the text which begins at `start`. */
function endOfText(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at += 1;
  }
  return at;
}
