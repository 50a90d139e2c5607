import type { FileReference } from '@lintel/contracts';

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

/** RFC 3986 path segment: sub-delimiters, `:` and `@` are not encoded. */
const encodePathSegment = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(/%(24|26|2B|2C|3A|3B|3D|40)/g, (code) => decodeURIComponent(code));
