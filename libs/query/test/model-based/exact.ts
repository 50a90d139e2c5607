interface RawJson {
  rawJSON(text: string): object;
}
const rawJson = (JSON as unknown as RawJson).rawJSON;

/** A JSON number with its text. */
export class Exact {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toJSON(): object {
    return rawJson(this.text);
  }
}

/** A binary floating-point number: its text in JSON is free but for the `.0` of a whole one, its value is not. */
export class Floating {
  readonly value: number;
  readonly isSingle: boolean;

  constructor(value: number, isSingle: boolean) {
    this.value = value;
    this.isSingle = isSingle;
  }

  equals(text: string): boolean {
    if (/^-?\d+$/.test(text)) return false;
    return (this.isSingle ? Math.fround(Number(text)) : Number(text)) === this.value;
  }
}

/** A number of which any text with its value is right. */
export class Numeric {
  /** Without zeros at the end of a fraction. */
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  equals(text: string): boolean {
    return text.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '') === this.text;
  }
}

/** A number that need not be exact. */
export class Near {
  readonly value: number;
  readonly tolerance: number;

  constructor(value: number, tolerance: number) {
    this.value = value;
    this.tolerance = tolerance;
  }

  equals(text: string): boolean {
    return Math.abs(Number(text) - this.value) <= this.tolerance;
  }
}

type ExactReviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;
const keepText: ExactReviver = (_key, value, { source }) =>
  typeof value === 'number' ? new Exact(source ?? String(value)) : value;

/** Parses JSON; numbers keep their text. */
export const parseExact = (text: string): unknown => JSON.parse(text, keepText as (key: string, v: unknown) => unknown);

/** The difference between an expected result and the actual one, as a path and both values; undefined when equal. */
export function difference(expected: unknown, actual: unknown, path = '$'): string | undefined {
  const mismatch = `${path}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`;
  if (expected instanceof Floating || expected instanceof Numeric || expected instanceof Near)
    return actual instanceof Exact && expected.equals(actual.text) ? undefined : mismatch;
  if (expected instanceof Exact) return actual instanceof Exact && actual.text === expected.text ? undefined : mismatch;
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return mismatch;
    return firstOf(expected.map((item, at) => difference(item, actual[at], `${path}[${at}]`)));
  }
  if (typeof expected === 'object' && expected !== null) {
    if (typeof actual !== 'object' || actual === null || Array.isArray(actual) || actual instanceof Exact)
      return mismatch;
    const names = Object.keys(expected);
    if (JSON.stringify(names) !== JSON.stringify(Object.keys(actual))) return mismatch;
    const members = actual as Readonly<Record<string, unknown>>;
    return firstOf(
      Object.entries(expected).map(([name, value]) => difference(value, members[name], `${path}.${name}`)),
    );
  }
  return expected === actual ? undefined : mismatch;
}

const firstOf = (differences: readonly (string | undefined)[]): string | undefined =>
  differences.find((found) => found !== undefined);
