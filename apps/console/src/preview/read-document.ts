import type { Download } from '@lintel/client';

/** A document that was read, with the way in which the page can show it. */
export interface ReadDocument {
  readonly name: string;
  readonly contentType: string;
  readonly blob: Blob;
  readonly kind: 'pdf' | 'html' | 'table' | 'text' | 'image' | 'office' | 'none';
  /** Of a page, a table or a text. */
  readonly text?: string;
}

/** How a document is shown, by its content type. */
export function kindOfDocument(contentType: string): ReadDocument['kind'] {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type === 'application/pdf') return 'pdf';
  if (type === 'text/html') return 'html';
  if (type === 'text/csv') return 'table';
  if (/^image\/(?:png|jpeg|gif|webp)$/.test(type)) return 'image';
  if (type.startsWith('application/vnd.openxmlformats-officedocument.')) return 'office';
  return type.startsWith('text/') || type === 'application/json' ? 'text' : 'none';
}

/** Reads a document whole. */
export async function readDocument(download: Download): Promise<ReadDocument> {
  const { name = 'document', contentType } = download;
  const blob = (await download.blob()) as unknown as Blob;
  const kind = kindOfDocument(contentType);
  const hasText = kind === 'html' || kind === 'table' || kind === 'text';
  return { name, contentType, blob, kind, ...(hasText && { text: await blob.text() }) };
}
