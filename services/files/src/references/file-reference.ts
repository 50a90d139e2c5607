/**
 * File references (contract/files.md#reference):
 * `<storage>://<path>?name=<file name>[&<key>=<value>…]`.
 */
export interface FileReference {
  /** Name of the storage; a URI scheme. */
  readonly storage: string;
  /** Key inside the storage as it is in the reference: its extension stays percent-encoded. */
  readonly path: string;
  readonly name: string;
  /** Further parameters, in order. */
  readonly parameters: readonly (readonly [key: string, value: string])[];
}

const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*$/;
/** Characters that need no encoding in a path or query: also those beyond ASCII, except spaces and controls. */
const URI_TEXT = /^(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?]|%[0-9A-Fa-f]{2}|[^\p{ASCII}\p{Z}\p{C}])+$/u;
const REFERENCE = /^([^:/?#]+):\/\/([^?#]+)\?([^#]+)$/;

/** Whether a storage may have this name: it becomes the scheme of a URI. */
export const isStorageName = (name: string): boolean => SCHEME.test(name);

/** Parses a reference; undefined if the text is not one. The first parameter is the name, with any key. */
export function parseFileReference(text: string): FileReference | undefined {
  const [, storage, path, query] = REFERENCE.exec(text) ?? [];
  if (storage === undefined || path === undefined || query === undefined) return undefined;
  if (!SCHEME.test(storage) || !URI_TEXT.test(path) || !URI_TEXT.test(query)) return undefined;
  const parameters: (readonly [string, string])[] = [];
  for (const part of query.split('&')) {
    const [key, value, ...more] = part.split('=');
    if (key === undefined || value === undefined || more.length > 0) return undefined;
    parameters.push([key, decodeFormText(value)]);
  }
  const [first, ...rest] = parameters;
  return first === undefined ? undefined : { storage, path, name: first[1], parameters: rest };
}

/** Formats a reference. `storage` and `path` must come from `parseFileReference` or `filePathFor`. */
export function formatFileReference(reference: FileReference): string {
  const parameters = [['name', reference.name] as const, ...reference.parameters];
  const query = parameters.map(([key, value]) => `${key}=${encodeFormText(value)}`).join('&');
  return `${reference.storage}://${reference.path}?${query}`;
}

/** The extension of a file name: the text after its last dot, in its original case; empty if there is none. */
export const extensionOf = (name: string): string => {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? '' : name.slice(dot + 1);
};

/** A longer text is not an extension, and file systems refuse names above 255 bytes. */
const MAX_EXTENSION_LENGTH = 100;

/** `yyyy/MM/dd/<uuid>[.<ext>]`, by the calendar of the server's time zone. */
export function filePathFor(now: Date, uuid: string, name: string): string {
  const day = [now.getFullYear(), now.getMonth() + 1, now.getDate()];
  const folders = day.map((part, index) => String(part).padStart(index === 0 ? 4 : 2, '0')).join('/');
  const extension = encodePathSegment(extensionOf(name));
  return `${folders}/${uuid}${extension === '' || extension.length > MAX_EXTENSION_LENGTH ? '' : `.${extension}`}`;
}

/** `application/x-www-form-urlencoded`: letters, digits and `. - * _` stay, a space becomes `+`. */
const encodeFormText = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1);

const decodeFormText = (text: string): string => new URLSearchParams(`v=${text}`).get('v') ?? '';

/** RFC 3986 path segment: sub-delimiters, `:` and `@` are not encoded. */
const encodePathSegment = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(/%(24|26|2B|2C|3A|3B|3D|40)/g, (code) => decodeURIComponent(code));
