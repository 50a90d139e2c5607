import { type ExactJson, ExactNumber } from './exact-json.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const SPACE = 0x20;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const LITERALS: Readonly<Record<string, boolean | null>> = { t: true, f: false, n: null };

/** The tokens that are valid next. */
type Expected = 'value' | 'value or ]' | 'name' | 'name or }' | 'separator' | 'end';

type Container =
  | { readonly kind: 'array'; readonly items: ExactJson[] }
  | { readonly kind: 'object'; readonly members: Record<string, ExactJson>; name: string };

/**
 * Reads JSON as `readExactJson` does, in steps of a limited size and without recursion: a text of any length and
 * nesting never occupies the event loop or the stack.
 */
export class ExactJsonReader {
  readonly #text: string;
  readonly #maxDepth: number;
  readonly #stack: Container[] = [];
  #at = 0;
  #expected: Expected = 'value';
  #result: ExactJson = null;

  /** @param maxDepth arrays and objects that may be open at a time */
  constructor(text: string, maxDepth: number) {
    this.#text = text;
    this.#maxDepth = maxDepth;
  }

  /** The value; complete once `read` has returned true. */
  get value(): ExactJson {
    return this.#result;
  }

  /**
   * Reads on.
   *
   * @param maxTokens values, names and brackets that this step may read
   * @returns whether the whole text is read
   * @throws SyntaxError when the text is not JSON; RangeError when it is nested deeper than the maximum
   */
  read(maxTokens: number): boolean {
    for (let tokens = 0; tokens < maxTokens; tokens += 1) {
      const code = this.#next();
      if (Number.isNaN(code)) {
        if (this.#expected !== 'end') throw this.#unexpected();
        return true;
      }
      this.#readToken(code);
    }
    return false;
  }

  /** The first character that is no white space. */
  #next(): number {
    let code = this.#text.charCodeAt(this.#at);
    while (code === SPACE || code === 0x0a || code === 0x0d || code === 0x09) {
      this.#at += 1;
      code = this.#text.charCodeAt(this.#at);
    }
    return code;
  }

  #readToken(code: number): void {
    switch (this.#expected) {
      case 'value or ]':
        if (code === CLOSE_ARRAY) this.#close();
        else this.#readValue(code);
        return;
      case 'value':
        this.#readValue(code);
        return;
      case 'name or }':
        if (code === CLOSE_OBJECT) this.#close();
        else this.#readName(code);
        return;
      case 'name':
        this.#readName(code);
        return;
      case 'separator':
        this.#readSeparator(code);
        return;
      case 'end':
        throw this.#unexpected();
      default:
        this.#expected satisfies never;
    }
  }

  #readValue(code: number): void {
    if (code === QUOTE) this.#add(this.#readText());
    else if (code === OPEN_OBJECT) this.#open({ kind: 'object', members: {}, name: '' }, 'name or }');
    else if (code === OPEN_ARRAY) this.#open({ kind: 'array', items: [] }, 'value or ]');
    else if (code === 0x2d || (code >= 0x30 && code <= 0x39)) this.#add(this.#readNumber());
    else this.#add(this.#readLiteral());
  }

  #open(container: Container, expected: Expected): void {
    if (this.#stack.length >= this.#maxDepth) throw new RangeError(`More than ${this.#maxDepth} levels`);
    this.#at += 1;
    this.#stack.push(container);
    this.#expected = expected;
  }

  #close(): void {
    this.#at += 1;
    const container = this.#stack.pop();
    if (container !== undefined) this.#add(container.kind === 'array' ? container.items : container.members);
  }

  /** Puts a complete value into the container that is open. */
  #add(value: ExactJson): void {
    const container = this.#stack.at(-1);
    this.#expected = container === undefined ? 'end' : 'separator';
    if (container === undefined) this.#result = value;
    else if (container.kind === 'array') container.items.push(value);
    else setMember(container.members, container.name, value);
  }

  #readName(code: number): void {
    if (code !== QUOTE) throw this.#unexpected();
    const name = this.#readText();
    if (this.#next() !== COLON) throw this.#unexpected();
    this.#at += 1;
    const container = this.#stack.at(-1);
    if (container?.kind === 'object') container.name = name;
    this.#expected = 'value';
  }

  #readSeparator(code: number): void {
    const isArray = this.#stack.at(-1)?.kind === 'array';
    if (code === COMMA) {
      this.#at += 1;
      this.#expected = isArray ? 'value' : 'name';
    } else if (code === (isArray ? CLOSE_ARRAY : CLOSE_OBJECT)) this.#close();
    else throw this.#unexpected();
  }

  #readText(): string {
    const start = this.#at + 1;
    for (let at = start; at < this.#text.length; at += 1) {
      const code = this.#text.charCodeAt(at);
      if (code === QUOTE) {
        this.#at = at + 1;
        return this.#text.slice(start, at);
      }
      if (code < SPACE) break;
      if (code === BACKSLASH) return this.#readEscapedText(start, at);
    }
    throw this.#unexpected();
  }

  /** The quote that ends the text is the first one that no backslash escapes; the engine parses the text inside. */
  #readEscapedText(start: number, firstBackslash: number): string {
    let at = firstBackslash;
    while (at < this.#text.length) {
      const code = this.#text.charCodeAt(at);
      if (code === QUOTE) {
        this.#at = at + 1;
        return JSON.parse(this.#text.slice(start - 1, at + 1)) as string;
      }
      at += code === BACKSLASH ? 2 : 1;
    }
    throw this.#unexpected();
  }

  #readNumber(): ExactNumber {
    NUMBER.lastIndex = this.#at;
    const text = NUMBER.exec(this.#text)?.[0];
    if (text === undefined) throw this.#unexpected();
    this.#at += text.length;
    return new ExactNumber(text);
  }

  #readLiteral(): boolean | null {
    const value = LITERALS[this.#text.charAt(this.#at)];
    const text = String(value);
    if (value === undefined || !this.#text.startsWith(text, this.#at)) throw this.#unexpected();
    this.#at += text.length;
    return value;
  }

  #unexpected(): SyntaxError {
    return new SyntaxError(`Unexpected character or end at position ${this.#at}`);
  }
}

/** As `JSON.parse` does: `__proto__` is a member like any other. */
function setMember(members: Record<string, ExactJson>, name: string, value: ExactJson): void {
  if (name === '__proto__')
    Object.defineProperty(members, name, { value, writable: true, enumerable: true, configurable: true });
  else members[name] = value;
}

/**
 * Reads a whole JSON text at once.
 *
 * @throws SyntaxError when the text is not JSON; RangeError when it is nested deeper than `maxDepth`
 */
export function readJsonWithin(text: string, maxDepth: number): ExactJson {
  const reader = new ExactJsonReader(text, maxDepth);
  while (!reader.read(Number.MAX_SAFE_INTEGER));
  return reader.value;
}
