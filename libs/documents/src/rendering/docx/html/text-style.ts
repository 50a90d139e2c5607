import type { DefaultTreeAdapterTypes } from 'parse5';

/** Style of a run of a fragment; absent members are inherited. */
export interface TextStyle {
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly underlined?: boolean;
  readonly struck?: boolean;
  /** `RRGGBB` */
  readonly color?: string;
  readonly background?: string;
  readonly halfPoints?: number;
  readonly font?: string;
  readonly position?: 'superscript' | 'subscript';
  readonly address?: string;
}

export type Alignment = 'left' | 'center' | 'right' | 'both';

type HtmlElement = DefaultTreeAdapterTypes.Element;

/** Sizes of headings 1 to 6 in half points. */
const HEADINGS = [40, 32, 28, 24, 22, 20];
const MONOSPACE = 'Liberation Mono';

const BY_TAG: Readonly<Record<string, TextStyle>> = {
  b: { bold: true },
  strong: { bold: true },
  th: { bold: true },
  i: { italic: true },
  em: { italic: true },
  cite: { italic: true },
  u: { underlined: true },
  ins: { underlined: true },
  s: { struck: true },
  strike: { struck: true },
  del: { struck: true },
  sup: { position: 'superscript' },
  sub: { position: 'subscript' },
  code: { font: MONOSPACE },
  kbd: { font: MONOSPACE },
  pre: { font: MONOSPACE },
  small: { halfPoints: 16 },
  big: { halfPoints: 28 },
  mark: { background: 'FFFF00' },
};

const NAMED_COLORS: Readonly<Record<string, string>> = {
  black: '000000',
  white: 'FFFFFF',
  red: 'FF0000',
  green: '008000',
  blue: '0000FF',
  yellow: 'FFFF00',
  orange: 'FFA500',
  purple: '800080',
  gray: '808080',
  grey: '808080',
  silver: 'C0C0C0',
  navy: '000080',
  teal: '008080',
  maroon: '800000',
};

/** Returns the style of an element, which inherits from another style. Only what is listed here has an effect. */
export function styleOf(element: HtmlElement, inherited: TextStyle): TextStyle {
  const heading = /^h([1-6])$/.exec(element.tagName)?.[1];
  const size = heading === undefined ? undefined : HEADINGS[Number(heading) - 1];
  const attribute = (name: string): string | undefined => element.attrs.find((one) => one.name === name)?.value;
  return {
    ...inherited,
    ...BY_TAG[element.tagName],
    ...(size === undefined ? {} : { bold: true, halfPoints: size }),
    ...given('color', colorOf(element.tagName === 'font' ? attribute('color') : undefined)),
    ...given('address', element.tagName === 'a' ? safeAddress(attribute('href')) : undefined),
    ...declared(declarationsOf(element)),
  };
}

/** Declarations of a `style` attribute by property. */
function declarationsOf(element: HtmlElement): ReadonlyMap<string, string> {
  const text = element.attrs.find(({ name }) => name === 'style')?.value ?? '';
  const pairs = text.split(';').map((declaration) => {
    const colon = declaration.indexOf(':');
    return [declaration.slice(0, colon).trim().toLowerCase(), declaration.slice(colon + 1).trim()] as const;
  });
  return new Map(pairs);
}

/** Where an element begins a page: before itself, after itself. */
export function pageBreaksOf(element: HtmlElement): { readonly before: boolean; readonly after: boolean } {
  const css = declarationsOf(element);
  const isPage = (side: string): boolean =>
    /^(?:always|page|left|right|recto|verso)$/i.test(css.get(`break-${side}`) ?? css.get(`page-break-${side}`) ?? '');
  return { before: isPage('before'), after: isPage('after') };
}

export function alignmentOf(element: HtmlElement): Alignment | undefined {
  const named = element.attrs.find(({ name }) => name === 'align')?.value;
  const align = (declarationsOf(element).get('text-align') ?? named)?.toLowerCase();
  if (align === 'justify') return 'both';
  return align === 'left' || align === 'center' || align === 'right' ? align : undefined;
}

function declared(css: ReadonlyMap<string, string>): TextStyle {
  const weight = css.get('font-weight');
  const decoration = css.get('text-decoration') ?? css.get('text-decoration-line') ?? '';
  return {
    ...given('bold', weight === undefined ? undefined : /^(?:bold|bolder|[6-9]00)$/.test(weight)),
    ...given('italic', css.has('font-style') ? /^(?:italic|oblique)/.test(css.get('font-style') ?? '') : undefined),
    ...(decoration.includes('underline') ? { underlined: true } : {}),
    ...(decoration.includes('line-through') ? { struck: true } : {}),
    ...given('color', colorOf(css.get('color'))),
    ...given('background', colorOf(css.get('background-color'))),
    ...given('halfPoints', halfPointsOf(css.get('font-size'))),
  };
}

const given = <N extends string, V>(name: N, value: V | undefined): Partial<Record<N, V>> =>
  (value === undefined ? {} : { [name]: value }) as Partial<Record<N, V>>;

function colorOf(text: string | undefined): string | undefined {
  const color = text?.trim().toLowerCase() ?? '';
  const hex = /^#([0-9a-f]{6})$/.exec(color)?.[1];
  if (hex !== undefined) return hex.toUpperCase();
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/.exec(color);
  if (short !== null)
    return short
      .slice(1)
      .map((digit) => digit + digit)
      .join('')
      .toUpperCase();
  const rgb = /^rgb\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})\s*\)$/.exec(color);
  if (rgb === null) return NAMED_COLORS[color];
  return rgb
    .slice(1)
    .map((part) => Math.min(255, Number(part)).toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase();
}

/** Converts points and pixels to half points, from 2 to 400. */
function halfPointsOf(text: string | undefined): number | undefined {
  const size = /^(\d{1,3}(?:\.\d+)?)(pt|px)$/.exec(text?.trim().toLowerCase() ?? '');
  if (size === null) return undefined;
  const halfPoints = Math.round(Number(size[1]) * (size[2] === 'px' ? 1.5 : 2));
  return halfPoints >= 2 && halfPoints <= 400 ? halfPoints : undefined;
}

const safeAddress = (address: string | undefined): string | undefined =>
  address !== undefined && /^(?:https?:\/\/|mailto:|tel:)\S+$/i.test(address.trim()) ? address.trim() : undefined;
