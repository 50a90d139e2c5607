import { fingerprint } from '@lintel/metadata';
import type { ParameterSource } from '../plan/parameter.ts';
import type { StatementTemplate } from './compiled-statement.ts';

/**
 * The statement that returns the result of another one for each of several rows of values, in one execution and in the
 * order of those rows: the column `at` next to the JSON is the index of the row of values, from 0.
 *
 * @param template of rows, without a page
 * @param isVarying whether the values of a parameter differ from row to row; they are then lists, all of one length
 */
export function compileEach(
  template: StatementTemplate,
  isVarying: (source: ParameterSource) => boolean,
): StatementTemplate {
  const arrays: string[] = [];
  const columns: string[] = [];
  const known = new Map<string, string>();
  const own = template.text.replace(/\$(\d+)::([a-z]+(?: [a-z]+)*)(\[\])?/g, (whole, index: string, type: string) => {
    const source = template.sources[Number(index) - 1];
    if (source === undefined || !isVarying(source)) return whole;
    let column = known.get(whole);
    if (column === undefined) {
      column = `each_row.c${columns.length}`;
      columns.push(`c${columns.length}`);
      arrays.push(`$${index}::${type}[]`);
      known.set(whole, column);
    }
    return column;
  });
  // The order of the rows must be preserved; after a join only a row number ensures that.
  const text =
    `SELECT each_row.at - 1 AS "at", found.json AS "json" FROM unnest(${arrays.join(', ')}) WITH ORDINALITY ` +
    `AS each_row(${[...columns, 'at'].join(', ')}) CROSS JOIN LATERAL ` +
    `(SELECT row_number() OVER () AS n, one.json FROM (${own}) one) found ORDER BY each_row.at, found.n`;
  return { ...template, name: `q${fingerprint(text)}`, text, order: '', positionColumns: 0 };
}
