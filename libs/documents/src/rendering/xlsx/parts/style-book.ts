import type { Document, Element } from '@xmldom/xmldom';
import type { OoxmlPackage } from '../../ooxml/ooxml-package.ts';
import { parsePartInSlices } from '../../ooxml/xml/parse-xml-in-slices.ts';
import { writeXmlInSlices } from '../../ooxml/xml/write-xml-in-slices.ts';
import { childOf, childrenOf, rootOf } from '../../ooxml/xml/xml.ts';

/** Size in points of the standard font of a workbook that does not define it. */
const STANDARD_SIZE = 11;

/** The cell formats of a workbook, and those that are added for named styles. */
export class StyleBook {
  readonly #part: string | undefined;
  readonly #document: Document | undefined;
  readonly #formats: Element | undefined;
  /** Formats of named styles, by their names in lower case. */
  readonly #named = new Map<string, { readonly format: Element; readonly index: string }>();
  /** By font. */
  readonly #sizes: readonly number[];
  /** By cell format. */
  readonly #sizeOf = new Map<string, number>();
  /** Number of formats; added ones are at the end. */
  #count: number;
  readonly #known: number;
  readonly #made = new Map<string, string>();

  /** Reads the styles of a workbook. */
  static async open(parts: OoxmlPackage, part: string | undefined): Promise<StyleBook> {
    return new StyleBook(
      part,
      part === undefined || !parts.has(part) ? undefined : await parsePartInSlices(parts, part),
    );
  }

  private constructor(part: string | undefined, document: Document | undefined) {
    this.#part = part;
    this.#document = document;
    const root = this.#document && rootOf(this.#document);
    this.#formats = root && childOf(root, 'cellXfs');
    this.#count = this.#formats === undefined ? 0 : childrenOf(this.#formats, 'xf').length;
    this.#known = this.#count;
    this.#sizes = listOf(root, 'fonts', 'font').map((font) =>
      Number(childOf(font, 'sz')?.getAttribute('val') ?? STANDARD_SIZE),
    );
    const formats = listOf(root, 'cellStyleXfs', 'xf');
    for (const style of listOf(root, 'cellStyles', 'cellStyle')) {
      const index = style.getAttribute('xfId') ?? '';
      const format = formats[Number(index)];
      if (format !== undefined) this.#named.set((style.getAttribute('name') ?? '').toLowerCase(), { format, index });
    }
  }

  /**
   * Returns the cell format of a named style with the border of the cell's own; the cell's own where the style is
   * missing.
   */
  withNamedStyle(style: string | undefined, name: string): string | undefined {
    const named = this.#named.get(name.toLowerCase());
    if (named === undefined || this.#formats === undefined) return style;
    const key = `${style ?? ''} ${named.index}`;
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    const own = childrenOf(this.#formats, 'xf')[Number(style ?? 0)];
    const format = named.format.cloneNode(true) as Element;
    format.setAttribute('xfId', named.index);
    format.setAttribute('borderId', own?.getAttribute('borderId') ?? '0');
    format.setAttribute('applyBorder', '1');
    this.#formats.appendChild(format);
    const made = String(this.#count);
    this.#count += 1;
    this.#formats.setAttribute('count', String(this.#count));
    this.#made.set(key, made);
    return made;
  }

  /** Size of a cell's font in points. */
  fontSize(style: string | undefined): number {
    const key = style ?? '0';
    const known = this.#sizeOf.get(key);
    if (known !== undefined) return known;
    const formats = this.#formats === undefined ? [] : childrenOf(this.#formats, 'xf');
    const size = this.#sizes[Number(formats[Number(key)]?.getAttribute('fontId') ?? 0)] ?? STANDARD_SIZE;
    this.#sizeOf.set(key, size);
    return size;
  }

  /** Returns the part with the added formats; undefined where there are none. */
  async changedPart(): Promise<{ readonly name: string; readonly bytes: Uint8Array } | undefined> {
    if (this.#part === undefined || this.#document === undefined || this.#count === this.#known) return undefined;
    return { name: this.#part, bytes: await writeXmlInSlices(this.#document) };
  }
}

const listOf = (root: Element | undefined, list: string, item: string): readonly Element[] => {
  const element = root && childOf(root, list);
  return element === undefined ? [] : childrenOf(element, item);
};
