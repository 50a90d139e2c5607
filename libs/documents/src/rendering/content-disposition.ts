/**
 * Returns `Content-Disposition` of a document: with the form-encoded name that existing clients read, and the standard
 * one (contract/decisions.md#33).
 */
export function contentDisposition(name: string, asAttachment: boolean): string {
  const wellFormed = name.toWellFormed();
  const formEncoded = new URLSearchParams([['', wellFormed]]).toString().slice(1);
  const encoded = encodeURIComponent(wellFormed).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${asAttachment ? 'attachment' : 'inline'}; filename="${formEncoded}"; filename*=UTF-8''${encoded}`;
}
