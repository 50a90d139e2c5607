import type { SlotPaths } from '../model/slot-paths.ts';
import type { Value, Values } from './value.ts';

/** Values of which some may be set. */
export interface MutableValues extends Values {
  set(path: string, value: Value): MutableValues;
}

/**
 * The values of an instance in an array, in the order of the paths of its entity. A save copies and compares all values
 * of an instance several times, which takes much longer with a `Map`.
 */
export class SlotValues implements MutableValues {
  readonly paths: SlotPaths;
  /** Undefined for a collection that is not loaded. */
  readonly #values: (Value | undefined)[];
  /** Values of other paths. */
  #others: Map<string, Value> | undefined;

  constructor(paths: SlotPaths, values: (Value | undefined)[], others?: ReadonlyMap<string, Value>) {
    this.paths = paths;
    this.#values = values;
    this.#others = others && new Map(others);
  }

  copy(): SlotValues {
    return new SlotValues(this.paths, this.#values.slice(), this.#others);
  }

  get(path: string): Value | undefined {
    const at = this.paths.positionOf(path);
    return at === undefined ? this.#others?.get(path) : this.#values[at];
  }

  /** Whether these are the paths of all values. */
  isOf(paths: SlotPaths): boolean {
    return this.paths === paths && this.#others === undefined;
  }

  has(path: string): boolean {
    return this.get(path) !== undefined;
  }

  set(path: string, value: Value): this {
    const at = this.paths.positionOf(path);
    if (at !== undefined) this.#values[at] = value;
    else {
      this.#others ??= new Map();
      this.#others.set(path, value);
    }
    return this;
  }

  get size(): number {
    return [...this].length;
  }

  forEach(visit: (value: Value, path: string, map: Values) => void): void {
    const { list } = this.paths;
    for (let at = 0; at < list.length; at += 1) {
      const value = this.#values[at];
      if (value !== undefined) visit(value, list[at] as string, this);
    }
    this.#others?.forEach((value, path) => {
      visit(value, path, this);
    });
  }

  /** Visits the values of the entity's paths with their positions. */
  forEachSlot(visit: (value: Value, at: number) => void): void {
    for (let at = 0; at < this.#values.length; at += 1) {
      const value = this.#values[at];
      if (value !== undefined) visit(value, at);
    }
  }

  /** Visits the values that are not identical (`===`) to those of another state of the instance. */
  forEachOther(
    before: Values | undefined,
    visit: (path: string, before: Value | undefined, after: Value) => void,
  ): void {
    if (!(before instanceof SlotValues) || before.paths !== this.paths || this.#others !== undefined) {
      this.forEach((value, path) => {
        const old = before?.get(path);
        if (old !== value) visit(path, old, value);
      });
      return;
    }
    const { list } = this.paths;
    for (let at = 0; at < list.length; at += 1) {
      const [old, value] = [before.#values[at], this.#values[at]];
      if (old !== value && value !== undefined) visit(list[at] as string, old, value);
    }
  }

  *entries(): Generator<[string, Value], undefined> {
    const { list } = this.paths;
    for (let at = 0; at < list.length; at += 1) {
      const value = this.#values[at];
      if (value !== undefined) yield [list[at] as string, value];
    }
    if (this.#others !== undefined) yield* this.#others;
  }

  *keys(): Generator<string, undefined> {
    for (const [path] of this) yield path;
  }

  *values(): Generator<Value, undefined> {
    for (const [, value] of this) yield value;
  }

  [Symbol.iterator](): Generator<[string, Value], undefined> {
    return this.entries();
  }
}

/** A copy that may be changed. */
export const copyOf = (values: Values): MutableValues =>
  values instanceof SlotValues ? values.copy() : new Map(values);
