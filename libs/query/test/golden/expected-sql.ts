import type { CompiledStatement } from '@lintel/query';
import { flatSql, formatSql } from './format-sql.ts';

export type StatementText = Pick<CompiledStatement, 'text' | 'values'>;

/** The content of an `expected.sql`: title and parameters as comments, then the formatted statement. */
export function toExpectedSql(title: string, { text, values }: StatementText): string {
  const parameters = values.map((value, at) => `-- $${at + 1} = ${JSON.stringify(value)}`);
  return `${[`-- ${title}`, ...parameters, '', formatSql(text)].join('\n')}\n`;
}

/** The inverse of {@link toExpectedSql}: the statement on one line, as compiled, and its values. */
export function fromExpectedSql(file: string): StatementText {
  const end = file.indexOf('\n\n');
  const [, ...parameters] = file.slice(0, end).split('\n');
  return {
    text: flatSql(file.slice(end)),
    values: parameters.map((line) => JSON.parse(line.slice(line.indexOf('=') + 1)) as unknown),
  };
}
