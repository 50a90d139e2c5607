import type { JsonTest } from '../plan/read-plan.ts';
import type { StatementText } from './statement-text.ts';

/**
 * A test of what a JSON column has at a path. Values of different JSON types are different, and none is before another
 * one.
 *
 * @param column text of the column
 * @param path text of the path's parameter
 */
export function writeJsonTest(column: string, path: string, test: JsonTest, statement: StatementText): string {
  const value = `NULLIF(${column} #> ${path}, 'null'::jsonb)`;
  const text = `lower(${column} #>> ${path})`;
  switch (test.kind) {
    case 'compare': {
      const parameter = statement.parameter(test.parameter);
      const compared = `${value} ${test.operator} ${parameter}`;
      return test.operator === '=' || test.operator === '<>'
        ? compared
        : `(jsonb_typeof(${value}) = jsonb_typeof(${parameter}) AND ${compared})`;
    }
    case 'like':
      return `${text} ${test.negated ? 'NOT LIKE' : 'LIKE'} lower(${statement.parameter(test.parameter)})`;
    case 'prefix': {
      const [first, end] = [statement.parameter(test.first), statement.parameter(test.end)];
      return `(${text} ~>=~ lower(${first}) AND ${text} ~<=~ lower(${end}))`;
    }
    case 'any':
      return `${value} ${test.negated ? '<> ALL' : '= ANY'} (${statement.parameter(test.parameter)})`;
    case 'null':
      return `${value} IS ${test.negated ? 'NOT ' : ''}NULL`;
    default:
      return test satisfies never;
  }
}
