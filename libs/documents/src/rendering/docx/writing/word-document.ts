import { zipSync } from 'fflate';

export interface WordDefinition {
  /** Content of the body, section included. */
  readonly body: string;
  readonly header?: string;
  readonly footer?: string;
  /** Content of the style sheet. */
  readonly styles?: string;
  /** Relationship id → address outside, for hyperlinks of the body. */
  readonly links?: Readonly<Record<string, string>>;
  /** More parts, or other contents for those there are. */
  readonly parts?: Readonly<Record<string, string | Uint8Array>>;
}

const MAIN = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const WORD_TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml';
const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const NAMESPACES = `xmlns:w="${MAIN}" xmlns:r="${OFFICE}" xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"`;

/**
 * Writes a template as a docx file, always with the same bytes. The header has the relationship `rId1`, the style
 * sheet `rId2`, the footer `rId3`.
 */
export function wordDocument({ body, header, footer, styles, links = {}, parts = {} }: WordDefinition): Uint8Array {
  const relationship = (id: string, type: string, target: string): string =>
    `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`;
  const relationships = (content: string): string =>
    `${DECLARATION}<Relationships xmlns="${PACKAGE}/relationships">${content}</Relationships>`;
  const hyperlinks = Object.entries(links).map(
    ([id, target]) => `<Relationship Id="${id}" Type="${OFFICE}/hyperlink" Target="${target}" TargetMode="External"/>`,
  );
  const files: Readonly<Record<string, string | Uint8Array>> = {
    '[Content_Types].xml':
      `${DECLARATION}<Types xmlns="${PACKAGE}/content-types">` +
      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
      '<Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/>' +
      [
        ['document', 'document.main'],
        ['header1', 'header'],
        ['footer1', 'footer'],
        ['styles', 'styles'],
      ]
        .map(([part, type]) => `<Override PartName="/word/${part}.xml" ContentType="${WORD_TYPE}.${type}+xml"/>`)
        .join('') +
      '</Types>',
    '_rels/.rels': relationships(relationship('rId1', 'officeDocument', 'word/document.xml')),
    'word/document.xml': `${DECLARATION}<w:document ${NAMESPACES}><w:body>${body}</w:body></w:document>`,
    'word/header1.xml': `${DECLARATION}<w:hdr ${NAMESPACES}>${header ?? '<w:p/>'}</w:hdr>`,
    'word/footer1.xml': `${DECLARATION}<w:ftr ${NAMESPACES}>${footer ?? '<w:p/>'}</w:ftr>`,
    'word/styles.xml': `${DECLARATION}<w:styles ${NAMESPACES}>${styles ?? ''}</w:styles>`,
    'word/_rels/document.xml.rels': relationships(
      relationship('rId1', 'header', 'header1.xml') +
        relationship('rId2', 'styles', 'styles.xml') +
        relationship('rId3', 'footer', 'footer1.xml') +
        hyperlinks.join(''),
    ),
    ...parts,
  };
  const encoder = new TextEncoder();
  return zipSync(
    Object.fromEntries(
      Object.entries(files).map(([name, part]) => [name, typeof part === 'string' ? encoder.encode(part) : part]),
    ),
    { mtime: '1980-01-01T00:00:00' },
  );
}
