/** The attribute paths of an entity, each with its position in the values of an instance. */
export class SlotPaths {
  readonly list: readonly string[];
  readonly #positions: ReadonlyMap<string, number>;

  constructor(list: readonly string[]) {
    this.list = list;
    this.#positions = new Map(list.map((path, at) => [path, at]));
  }

  positionOf(path: string): number | undefined {
    return this.#positions.get(path);
  }
}
