import type { ElementBudget } from '../../ooxml/element-budget.ts';
import type { OoxmlPackage } from '../../ooxml/ooxml-package.ts';
import type { SheetTemplate } from '../template/xlsx-template.ts';
import type { RowContext } from '../writing/result-rows.ts';
import type { SheetPictures } from './add-pictures.ts';

/** What the parts around the cells depend on, once all places are known. */
export interface ResultContext extends RowContext {
  /** Those of the template, and what pictures add to them. */
  readonly parts: OoxmlPackage;
  /** Counts what copies of bands add around the cells. */
  readonly budget: ElementBudget;
  readonly pictures: ReadonlyMap<SheetTemplate, SheetPictures>;
  /** Text of `Band.field` in the first row of the band, for texts outside of cells; `undefined` where there is none. */
  readonly textOf: (band: string, field: string) => string | undefined;
}
