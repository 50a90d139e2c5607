/**
 * `Content-Disposition` of a download. The encoding is not that of RFC 8187, but the one that existing clients read
 * (contract/files.md#download).
 */
export function contentDisposition(kind: 'inline' | 'attachment', name: string): string {
  if (name === '') return kind;
  const encoded = encodeName(name);
  return `${kind}; filename="${encoded}"; filename*=utf-8''${encoded}`;
}

/** ASCII letters, digits and dots stay; all other characters become `%` and lower-case hex of their UTF-8 bytes. */
function encodeName(name: string): string {
  let encoded = '';
  for (const byte of Buffer.from(name, 'utf8')) {
    const character = String.fromCharCode(byte);
    encoded += /[A-Za-z0-9.]/.test(character) ? character : `%${byte.toString(16).padStart(2, '0')}`;
  }
  return encoded;
}
