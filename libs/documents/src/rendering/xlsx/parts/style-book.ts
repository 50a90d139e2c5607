import type { Document, Element } from '@xmldom/xmldom';
import type { OoxmlPackage } from '../../ooxml/ooxml-package.ts';
import { parsePartInSlices } from '../../ooxml/xml/parse-xml-in-slices.ts';
import { writeXmlInSlices } from '../../ooxml/xml/write-xml-in-slices.ts';
import { childOf, childrenOf, rootOf } from '../../ooxml/xml/xml.ts';
import { createElement } from './sheet-order.ts';

/** Size in points of the standard font of a workbook that does not define it. */
const STANDARD_SIZE = 11;
/** Ids and codes of the number formats General and Text, which show the number of a date. */
const WITHOUT_FORMAT = /^(?:|0|49|general|@)$/i;
/** Smaller ids are of the formats that each program has. */
const FIRST_OWN_FORMAT = 164;

/** The cell formats of a workbook, and those that are added for named styles and dates. */
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
  readonly #made = new Map<string, string | undefined>();

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
    const root = document && rootOf(document);
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
    if (named === undefined) return style;
    return this.#derived(style, named.index, (own) => {
      const format = named.format.cloneNode(true) as Element;
      format.setAttribute('xfId', named.index);
      format.setAttribute('borderId', own?.getAttribute('borderId') ?? '0');
      format.setAttribute('applyBorder', '1');
      return format;
    });
  }

  /**
   * Returns the cell format with a number format of dates, where its own would show the number of the date. A date
   * shrinks to the width of its column, as it would otherwise be shown as `###`.
   */
  withDateFormat(style: string | undefined, code: string): string | undefined {
    return this.#derived(style, code, (own) => {
      const id = own?.getAttribute('numFmtId') ?? '';
      // LibreOffice writes its own formats for General and Text.
      const ownCode = this.#numberFormats().find((one) => one.getAttribute('numFmtId') === id);
      if (own === undefined || !WITHOUT_FORMAT.test(ownCode?.getAttribute('formatCode') ?? id)) return undefined;
      const format = own.cloneNode(true) as Element;
      firstElement(format, 'alignment').setAttribute('shrinkToFit', '1');
      for (const name of ['applyNumberFormat', 'applyAlignment']) format.setAttribute(name, '1');
      format.setAttribute('numFmtId', this.#numberFormat(own, code));
      return format;
    });
  }

  /** Returns a cell format that is derived from another one and added; the other one where nothing is derived. */
  #derived(
    style: string | undefined,
    by: string,
    derive: (own: Element | undefined) => Element | undefined,
  ): string | undefined {
    const key = `${style ?? ''} ${by}`;
    if (this.#made.has(key)) return this.#made.get(key);
    const format = this.#formats && derive(childrenOf(this.#formats, 'xf')[Number(style ?? 0)]);
    const made = format === undefined ? style : String(this.#count);
    this.#made.set(key, made);
    if (format === undefined) return made;
    this.#formats?.appendChild(format);
    this.#count += 1;
    this.#formats?.setAttribute('count', String(this.#count));
    return made;
  }

  #numberFormats(): readonly Element[] {
    return listOf(this.#document && rootOf(this.#document), 'numFmts', 'numFmt');
  }

  /** Returns the id of a number format, which is added where the workbook does not have it. */
  #numberFormat({ parentNode }: Element, code: string): string {
    const formats = this.#numberFormats();
    const known = formats.find((one) => one.getAttribute('formatCode') === code)?.getAttribute('numFmtId');
    if (known !== undefined && known !== null) return known;
    const ids = formats.map((one) => Number(one.getAttribute('numFmtId')));
    const id = String(Math.max(FIRST_OWN_FORMAT - 1, ...ids) + 1);
    const list = firstElement(parentNode?.parentNode as Element, 'numFmts');
    list.appendChild(createElement(list, 'numFmt', { numFmtId: id, formatCode: code }));
    list.setAttribute('count', String(formats.length + 1));
    return id;
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

/** A child element, which is added as the first one where it is missing. */
const firstElement = (parent: Element, name: string): Element =>
  childOf(parent, name) ?? (parent.insertBefore(createElement(parent, name, {}), parent.firstChild) as Element);
