import { cell, field, paragraph, row, run, table, thinParagraph, wordDocument } from '@lintel/documents';
import type { Display } from '@lintel/metadata';
import type { DraftColumn } from './draft-columns.ts';
import { aliasOf, BANDS, type DraftLayout, isNumber, LOOK, leadOf, pageOf } from './draft-layout.ts';

/** A4, in twentieths of a point. */
const [SHORT, LONG, MARGIN] = [11_906, 16_838, 850] as const;
const sized = (size: number): string => `<w:sz w:val="${size * 2}"/><w:szCs w:val="${size * 2}"/>`;
const STYLES =
  `<w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Arial" w:hAnsi="Arial" w:cs="Arial"/>${sized(9)}</w:rPr></w:rPrDefault></w:docDefaults>` +
  '<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>' +
  '<w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/><w:basedOn w:val="Normal"/>' +
  `<w:pPr><w:spacing w:after="240"/></w:pPr><w:rPr><w:b/><w:color w:val="${LOOK.dark}"/>${sized(16)}</w:rPr></w:style>` +
  '<w:style w:type="paragraph" w:styleId="Cell"><w:name w:val="Cell"/><w:basedOn w:val="Normal"/>' +
  '<w:pPr><w:spacing w:before="50" w:after="50"/><w:ind w:left="80" w:right="80"/></w:pPr></w:style>';
const FOOTER = paragraph([field('PAGE'), run(' / '), field('NUMPAGES')], { align: 'center' });

interface Look {
  readonly fill?: string;
  readonly color?: string;
  readonly bold?: boolean;
}
const HEAD: Look = { fill: LOOK.dark, color: LOOK.light, bold: true };
const SUM: Look = { fill: LOOK.sum, bold: true };

/**
 * The template of a draft as a Word document: title, a header on each page, the name of each group with its totals
 * above the table of its rows, the totals of all.
 */
export function draftDocument(title: string, layout: DraftLayout, display: Display): Uint8Array {
  const { groups, columns, totals } = layout;
  const { hasLead, widths: characters, width, isWide } = pageOf(layout);
  const [paper, height] = isWide ? [LONG, SHORT] : [SHORT, LONG];
  const widths = characters.map((one) => Math.floor((one / width) * (paper - 2 * MARGIN)));
  const line = (lead: string, look: Look, textOf: (column: DraftColumn) => string, band = ''): readonly string[] => {
    const { fill, ...format } = look;
    const cells = columns.map((column, at) => {
      const content = textOf(column);
      if (!hasLead && at === 0 && content === '') return { content: lead, align: 'left' } as const;
      const kind = (look === SUM && totals.get(column.alias)) || column.kind;
      return { content, align: isNumber({ kind }) ? 'right' : 'left' } as const;
    });
    const all = hasLead ? [{ content: lead, align: 'left' } as const, ...cells] : cells;
    return all.map(({ content, align }, at) =>
      cell(paragraph(`${at === 0 ? band : ''}${content}`, { style: 'Cell', align, ...format }), {
        width: widths[at] ?? 0,
        ...(fill !== undefined && { fill }),
      }),
    );
  };
  const tableOf = (rows: readonly string[], lines = false): string => table(rows, { widths, lines, padding: 0 });
  const ofTotals = (column: DraftColumn): string => (totals.has(column.alias) ? aliasOf(column) : '');
  // The outermost table has the header. The first row of the others, which names the band, is the repeated one.
  let repeated = row(line('', {}, aliasOf, groups.length > 0 ? markerOf(BANDS.rows) : ''));
  for (const [at, group] of [...groups.entries()].reverse()) {
    const marker = at === 0 ? '' : thinParagraph(run(markerOf(BANDS.group(at)), { size: 1 }));
    const head = tableOf([row(line(leadOf(group, at), SUM, ofTotals))]);
    const below = tableOf([repeated], at === groups.length - 1);
    const content = `${marker}${head}${thinParagraph()}${below}${thinParagraph()}`;
    repeated = row([cell(content, { width: paper - 2 * MARGIN, span: widths.length })], 'block');
  }
  const names = groups.map(({ caption }) => caption).join(' – ');
  const outermost = markerOf(groups.length > 0 ? BANDS.group(0) : BANDS.rows);
  const rows = [
    row(
      line(names, HEAD, ({ caption }) => caption, outermost),
      'header',
    ),
    repeated,
  ];
  const ofAll = (column: DraftColumn): string => (totals.has(column.alias) ? `\${${BANDS.total}.${column.alias}}` : '');
  if (totals.size > 0) rows.push(row(line(display.message('lintel.report.total'), SUM, ofAll)));
  const margins = ['top', 'right', 'bottom', 'left', 'header', 'footer'].map((side) => `w:${side}="${MARGIN}"`);
  const section =
    '<w:sectPr><w:footerReference w:type="default" r:id="rId3"/>' +
    `<w:pgSz w:w="${paper}" w:h="${height}"${isWide ? ' w:orient="landscape"' : ''}/>` +
    `<w:pgMar ${margins.join(' ')} w:gutter="0"/></w:sectPr>`;
  const body = paragraph(title, { style: 'Title' }) + tableOf(rows, groups.length === 0) + thinParagraph() + section;
  return wordDocument({ body, footer: FOOTER, styles: STYLES });
}

const markerOf = (band: string): string => `##band=${band} `;
