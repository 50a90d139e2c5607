import { plainText } from '@lintel/metadata';
import type { CompiledStatement } from '@lintel/query';
import { flatSql, formatSql } from './format-sql.ts';

export type StatementText = Pick<CompiledStatement, 'text' | 'values'>;

const TEXT = '$text';
const [BEFORE = '', AFTER = ''] = plainText(TEXT).split(TEXT);
const PLAIN = 'plain_text';

/** The words of a column are written as a function, which no database has, so that a search can be read. */
const shortened = (text: string): string => text.replaceAll(BEFORE, `${PLAIN}(`).replaceAll(AFTER, ')');
const written = (text: string): string =>
  text.replace(new RegExp(`${PLAIN}\\(((?:[^()]|\\([^()]*\\))*)\\)`, 'g'), (_, column: string) => plainText(column));

/** The content of an `expected.sql`: title and parameters as comments, then the formatted statement. */
export function toExpectedSql(title: string, { text, values }: StatementText): string {
  const parameters = values.map((value, at) => `-- $${at + 1} = ${JSON.stringify(value)}`);
  return `${[`-- ${title}`, ...parameters, '', formatSql(shortened(text))].join('\n')}\n`;
}

/** The inverse of {@link toExpectedSql}: the statement on one line, as compiled, and its values. */
export function fromExpectedSql(file: string): StatementText {
  const end = file.indexOf('\n\n');
  const [, ...parameters] = file.slice(0, end).split('\n');
  return {
    text: written(flatSql(file.slice(end))),
    values: parameters.map((line) => JSON.parse(line.slice(line.indexOf('=') + 1)) as unknown),
  };
}
