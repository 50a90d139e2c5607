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

const decodeFormText = (text: string): string => new URLSearchParams(`v=${text}`).get('v') ?? '';
