import type { OoxmlPackage } from '../../ooxml/ooxml-package.ts';
import type { ElementBudget } from '../../ooxml/xml/element-budget.ts';
import type { SheetTemplate } from '../template/xlsx-template.ts';
import type { RowContext } from '../writing/result-rows.ts';
import type { SheetPictures } from './add-pictures.ts';

/** The name of a part, and its content in the result. */
export type ChangedPart = readonly [name: string, content: Uint8Array];

/** Context of the parts besides the cells, once all positions are known. */
export interface ResultContext extends RowContext {
  /** Parts of the template and of pictures. */
  readonly parts: OoxmlPackage;
  /** Counts the elements that copies of bands add besides the cells. */
  readonly budget: ElementBudget;
  readonly pictures: ReadonlyMap<SheetTemplate, SheetPictures>;
  /** Text of `Band.field` in the first row of the band, for texts outside of cells; `undefined` where there is none. */
  readonly textOf: (band: string, field: string) => string | undefined;
  readonly warn: ((message: string) => void) | undefined;
}
