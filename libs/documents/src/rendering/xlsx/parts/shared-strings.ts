import { XML_DECLARATION } from '../../ooxml/xml/xml.ts';
import type { SharedStrings } from '../template/xlsx-template.ts';

/**
 * The shared strings of one result, in the order of their first use. Texts of the template that no cell of the result
 * uses are omitted, and texts with aliases, which are written into the cells.
 */
export class SharedStringBook {
  readonly #template: SharedStrings;
  readonly #numbers = new Map<string, number>();
  #references = 0;

  constructor(template: SharedStrings) {
    this.#template = template;
  }

  /** Name of the part; undefined where the template has none. */
  get part(): string | undefined {
    return this.#template.part;
  }

  /** Returns the number in the result of a text of the template, and counts one more cell that uses it. */
  use(index: number): number {
    const xml = this.#template.items.get(index) ?? '<si><t/></si>';
    const number = this.#numbers.get(xml) ?? this.#numbers.size;
    this.#numbers.set(xml, number);
    this.#references += 1;
    return number;
  }

  /** Writes the part; to be called after all sheets were written. */
  *xml(): Generator<string> {
    const counts = `count="${this.#references}" uniqueCount="${this.#numbers.size}"`;
    yield `${XML_DECLARATION}<sst xmlns="${this.#template.namespace}" ${counts}>`;
    yield* this.#numbers.keys();
    yield '</sst>';
  }
}
