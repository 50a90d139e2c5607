import { XML_DECLARATION } from '../../ooxml/xml.ts';
import type { SharedStrings } from '../template/xlsx-template.ts';

/**
 * The texts that cells of one result share, in the order in which cells first show them. A text of the template that no
 * cell of the result shows is not among them, as those with aliases, which are filled in the cells.
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

  /** The number in the result of a text of the template, for one more cell. */
  use(index: number): number {
    const xml = this.#template.items.get(index) ?? '<si><t/></si>';
    const number = this.#numbers.get(xml) ?? this.#numbers.size;
    this.#numbers.set(xml, number);
    this.#references += 1;
    return number;
  }

  /** The part; complete once all sheets are written. */
  *xml(): Generator<string> {
    const counts = `count="${this.#references}" uniqueCount="${this.#numbers.size}"`;
    yield `${XML_DECLARATION}<sst xmlns="${this.#template.namespace}" ${counts}>`;
    yield* this.#numbers.keys();
    yield '</sst>';
  }
}
