import { costExceeded, PlatformError } from '@lintel/errors';
import { compareDecimals, decimalOf, type ExactJson, ExactNumber, isExactObject, MAX_JSON_DEPTH } from '@lintel/query';

const INDEX = /^(?:0|[1-9]\d{0,8})$/;

/** The value that the tokens lead to; undefined if there is none. */
export function valueAt(root: ExactJson, tokens: readonly string[]): ExactJson | undefined {
  let value: ExactJson | undefined = root;
  for (const token of tokens) {
    if (value === undefined) return undefined;
    value = memberAt(value, token);
  }
  return value;
}

function memberAt(parent: ExactJson, token: string): ExactJson | undefined {
  if (Array.isArray(parent)) return INDEX.test(token) ? (parent as readonly ExactJson[])[Number(token)] : undefined;
  return isExactObject(parent) && Object.hasOwn(parent, token) ? parent[token] : undefined;
}

/**
 * `add` and `replace` inside a JSON value, which is modified itself (RFC 6902 §4.1, §4.3).
 *
 * @param tokens at least one
 * @returns false if the value has no such target
 */
export function putAt(root: ExactJson, tokens: readonly string[], value: ExactJson, isReplacement: boolean): boolean {
  const parent = valueAt(root, tokens.slice(0, -1));
  const token = tokens.at(-1) ?? '';
  if (parent === undefined || (isReplacement && memberAt(parent, token) === undefined)) return false;
  if (Array.isArray(parent)) {
    const items = parent as ExactJson[];
    const index = token === '-' ? items.length : INDEX.test(token) ? Number(token) : -1;
    if (index < 0 || index > items.length) return false;
    items.splice(index, isReplacement ? 1 : 0, value);
    return true;
  }
  if (!isExactObject(parent)) return false;
  // An assignment to `__proto__` would not set a member.
  Object.defineProperty(parent, token, { value, writable: true, enumerable: true, configurable: true });
  return true;
}

/** `remove` inside a JSON value (RFC 6902 §4.2). */
export function removeAt(root: ExactJson, tokens: readonly string[]): boolean {
  const parent = valueAt(root, tokens.slice(0, -1));
  const token = tokens.at(-1) ?? '';
  if (parent === undefined || memberAt(parent, token) === undefined) return false;
  if (Array.isArray(parent)) (parent as ExactJson[]).splice(Number(token), 1);
  else delete (parent as Record<string, ExactJson>)[token];
  return true;
}

/** Whether two JSON values are equal (RFC 6902 §4.6): numbers by their value, objects without regard to order. */
export function isEqualJson(left: ExactJson, right: ExactJson): boolean {
  if (left instanceof ExactNumber || right instanceof ExactNumber)
    return left instanceof ExactNumber && right instanceof ExactNumber && isEqualNumber(left.text, right.text);
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
    return left.every((item: ExactJson, at) => isEqualJson(item, right[at] as ExactJson));
  }
  if (!isExactObject(left) || !isExactObject(right)) return left === right;
  const members = Object.entries(left);
  return (
    members.length === Object.keys(right).length &&
    members.every(([name, value]) => Object.hasOwn(right, name) && isEqualJson(value, right[name] as ExactJson))
  );
}

function isEqualNumber(left: string, right: string): boolean {
  if (left === right) return true;
  const [one, other] = [decimalOf(left), decimalOf(right)];
  return one !== undefined && other !== undefined && compareDecimals(one, other) === 0;
}

/** What the copies of one patch may hold together: repeated copies of a value into itself would double it each time. */
export class CopyBudget {
  readonly #max: number;
  #left: number;

  /** @param max characters of texts, and values */
  constructor(max: number) {
    this.#max = max;
    this.#left = max;
  }

  /**
   * A copy that shares nothing with the value.
   *
   * @param depth objects and arrays that the copy will be inside of: copies of a value into itself nest it more deeply
   *   than any body
   * @throws PlatformError REQ_COST_EXCEEDED, or REQ_INVALID_PATCH above the depth of a body
   */
  copy(value: ExactJson, depth = 0): ExactJson {
    this.#take(1);
    if (depth >= MAX_JSON_DEPTH && (Array.isArray(value) || isExactObject(value)))
      throw new PlatformError(
        'REQ_INVALID_PATCH',
        `The values of the patch are nested more than ${MAX_JSON_DEPTH} levels deep, copies included`,
      );
    if (typeof value === 'string') this.#take(value.length);
    if (Array.isArray(value)) return value.map((item: ExactJson) => this.copy(item, depth + 1));
    if (!isExactObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => {
        this.#take(name.length);
        return [name, this.copy(member, depth + 1)];
      }),
    );
  }

  #take(count: number): void {
    this.#left -= count;
    if (this.#left < 0)
      throw costExceeded(
        `The values of the patch have more than ${this.#max} characters, copies included`,
        'svc.rest.max-body-size',
      );
  }
}
