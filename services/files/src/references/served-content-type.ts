import { MIMEType } from 'node:util';
import { contentTypeOf, extensionsOf, OCTET_STREAM } from './content-types.ts';
import { extensionOf } from './file-reference.ts';

const MAX_LENGTH = 255;
const PRINTABLE_ASCII = /^[\x20-\x7e]+$/;

/** Types that clients send if the type of a file is unknown to them: defaults of storages, of `curl` and of forms. */
const WITHOUT_MEANING: ReadonlySet<string> = new Set([
  OCTET_STREAM,
  'binary/octet-stream',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
]);

/** Types that a browser runs, or that may contain scripts or other documents: HTML, XML, SVG, scripts, containers. */
const ACTIVE = [
  /[/+.-](?:x?html|xml|xslt?|svg|mathml|xul|hta)(?:[+-]|$)/,
  /script/,
  /^(?:multipart|message)\//,
  /flash|x-component|cache-manifest|wasm|webbundle|signed-exchange/,
];

/**
 * The content type of an upload as it is stored: in the normal form of the MIME standard, with its parameters.
 *
 * @returns `application/octet-stream` for none, for an invalid one, and for one of more than 255 characters
 */
export const storedContentType = (sent: string | undefined): string => parse(sent)?.text ?? OCTET_STREAM;

/**
 * The content type of a download (contract/decisions.md#64): that of the upload; if the upload had none, by the
 * extension of the name.
 *
 * @param kept content type in the storage; other programs may have written it
 */
export function servedContentType(kept: string | undefined, name: string): string {
  const type = parse(kept);
  return type === undefined || WITHOUT_MEANING.has(type.essence) ? contentTypeOf(name) : type.text;
}

/**
 * Whether a browser may show a file: its extension is listed, it is not active content, and its type does not belong to
 * other extensions only, so that a name cannot allow a type that the list excludes.
 *
 * @param contentType of `servedContentType`
 * @param inlineExtensions in lower case
 */
export function mayBeInline(name: string, contentType: string, inlineExtensions: ReadonlySet<string>): boolean {
  const type = parse(contentType);
  if (type === undefined || !inlineExtensions.has(extensionOf(name).toLowerCase())) return false;
  if (ACTIVE.some((active) => active.test(type.essence))) return false;
  const extensions = extensionsOf(type.essence);
  return extensions.length === 0 || extensions.some((extension) => inlineExtensions.has(extension));
}

interface ContentType {
  /** `type/subtype` in lower case. */
  readonly essence: string;
  /** Safe in a header. */
  readonly text: string;
}

function parse(text: string | undefined): ContentType | undefined {
  if (text === undefined || !PRINTABLE_ASCII.test(text) || text.length > MAX_LENGTH) return undefined;
  try {
    const type = new MIMEType(text);
    const normal = type.toString();
    // A media range is not a type.
    if (type.essence.includes('*') || normal.length > MAX_LENGTH) return undefined;
    return { essence: type.essence, text: normal };
  } catch {
    return undefined;
  }
}
