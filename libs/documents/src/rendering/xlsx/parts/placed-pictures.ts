import { onlyAlias } from '../../aliases.ts';
import type { CellFormatter } from '../../formats/format-cell.ts';
import type { PictureRequest } from '../../images/picture-source.ts';
import type { Layout } from '../placing/layout.ts';
import type { SheetTemplate } from '../template/xlsx-template.ts';
import { linesOf } from '../writing/band-lines.ts';
import { findField } from '../writing/field-cell.ts';

/** A picture that replaces the value of a cell. */
export interface PlacedPicture {
  readonly sheet: SheetTemplate;
  /** Row of the cell in the result. */
  readonly row: number;
  readonly column: number;
  readonly request: PictureRequest;
}

/** Finds the pictures: cells that are one alias of a field whose format is a picture; in the order of the cells. */
export function placedPictures(layout: Layout, formatter: CellFormatter): readonly PlacedPicture[] {
  const { template } = layout;
  const pictures: PlacedPicture[] = [];
  for (const range of template.ranges.values())
    for (const [index, { cells }] of linesOf(template, range).entries())
      for (const { column, template: cell } of cells) {
        const alias = cell.content.kind === 'text' ? onlyAlias(cell.content.pieces) : undefined;
        if (alias === undefined) continue;
        for (const { data, offset } of layout.placementsOf(range.band)) {
          const found = findField(data, alias.name);
          const format = found && formatter.contentFormat(found.band, found.field);
          if (found === undefined || format === undefined || format.kind === 'html') continue;
          const source = formatter.format(found.band, found.field, found.cell);
          if (source === '') continue;
          pictures.push({
            sheet: range.sheet,
            row: range.area.top + index + offset.rows,
            column: column + offset.columns,
            request: { ...format, kind: format.kind, source, field: `${found.band}.${found.field}` },
          });
        }
      }
  return pictures;
}
