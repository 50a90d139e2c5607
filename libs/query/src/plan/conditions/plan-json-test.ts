import type { Parameter } from '../parameter.ts';
import type { Column, JsonTest, SqlCondition } from '../read-plan.ts';

/**
 * The test of a JSON column as the test of what the column has at a path.
 *
 * @param inside members and indexes from the value of the column; none for the value itself
 */
export function jsonTest(condition: SqlCondition, inside: readonly string[]): SqlCondition {
  return at(condition, { source: { kind: 'constant', value: arrayText(inside) }, sqlType: 'text[]' });
}

/** The array of texts as PostgreSQL reads it. */
const arrayText = (names: readonly string[]): string =>
  `{${names.map((name) => `"${name.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;

function at(condition: SqlCondition, path: Parameter): SqlCondition {
  const within = (column: Column, test: JsonTest): SqlCondition => ({ kind: 'json', column, path, test });
  switch (condition.kind) {
    case 'and':
    case 'or':
      return { kind: condition.kind, conditions: condition.conditions.map((part) => at(part, path)) };
    case 'compare':
    case 'like':
    case 'prefix':
    case 'any': {
      const { column, ...test } = condition;
      return within(column, test);
    }
    case 'null': {
      const [column] = condition.columns;
      if (column === undefined) throw new Error('A JSON value needs a column');
      return within(column, { kind: 'null', negated: condition.negated });
    }
    default:
      throw new Error(`A JSON value has no ${condition.kind} test`);
  }
}
