import { PlatformError } from '@lintel/errors';

/**
 * Counts the cells of all cross tables of a report. `more` is the number of cells of a table that is being read; it is
 * added where `isKept`, else only checked.
 *
 * @throws REPORT_RUN_ERROR where there are more than `maxCells`
 */
export type CountCells = (more: number, isKept: boolean) => void;

/** @param maxCells cells of all cross tables of a report */
export function cellCounter(maxCells: number): CountCells {
  let kept = 0;
  return (more, isKept) => {
    if (kept + more > maxCells)
      throw new PlatformError('REPORT_RUN_ERROR', `The cross tables of the report have more than ${maxCells} cells`);
    if (isKept) kept += more;
  };
}
