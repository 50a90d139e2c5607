import type { RowContext } from '../writing/result-rows.ts';

/** What the parts around the cells depend on, once all places are known. */
export interface ResultContext extends RowContext {
  /** Text of `Band.field` in the first row of the band, for texts outside of cells; `undefined` where there is none. */
  readonly textOf: (band: string, field: string) => string | undefined;
}
