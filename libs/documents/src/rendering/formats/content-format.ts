/**
 * A format of a field that is not text (contract/report-templates.md#values): a picture by address, by bytes (base64)
 * or by file reference, fitted into a box of pixels, or a fragment of HTML.
 */
export type ContentFormat =
  | { readonly kind: 'image' | 'bitmap' | 'imageFileId'; readonly width: number; readonly height: number }
  | { readonly kind: 'html' };

/** Maximum side of a picture's box in pixels. */
const MAX_SIDE = 10_000;

/** Parses `${image:200x100}` or `${html}`; undefined for all other patterns. */
export function parseContentFormat(pattern: string): ContentFormat | undefined {
  if (/^\s*\$\{html\}\s*$/.test(pattern)) return { kind: 'html' };
  const found = /^\s*\$\{(image|bitmap|imageFileId):(\d{1,5})x(\d{1,5})\}\s*$/.exec(pattern);
  if (found === null) return undefined;
  const [, kind, width, height] = found as unknown as [string, 'image' | 'bitmap' | 'imageFileId', string, string];
  const sides = { width: Number(width), height: Number(height) };
  const fits = Object.values(sides).every((side) => side > 0 && side <= MAX_SIDE);
  return fits ? { kind, ...sides } : undefined;
}
