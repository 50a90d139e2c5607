import { PlatformError } from '@lintel/errors';

/** Counts the elements of a document while it is rendered; each takes about a kilobyte. */
export class ElementBudget {
  readonly #maxElements: number;
  #elements = 0;

  /** @param maxElements elements of a document */
  constructor(maxElements: number) {
    this.#maxElements = maxElements;
  }

  /** @throws REPORT_RUN_ERROR where there are too many */
  add(elements: number): void {
    this.#elements += elements;
    if (this.#elements > this.#maxElements)
      throw new PlatformError('REPORT_RUN_ERROR', `The document has more than ${this.#maxElements} elements`);
  }
}
