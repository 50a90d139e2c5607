import type { Discriminator, DiscriminatorValue } from '@lintel/metadata';
import { quoteConstant } from './statement-text.ts';

const constantOf = (value: DiscriminatorValue): string =>
  typeof value === 'number' ? String(value) : quoteConstant(value);

/** The name of the entity that a discriminator stands for, in SQL; null if it stands for none. */
export function entityNameText(column: string, values: Discriminator['values']): string {
  if (values === undefined) return column;
  const cases = values.map(([value, entity]) => `WHEN ${constantOf(value)} THEN ${quoteConstant(entity)}`);
  return `CASE ${column} ${cases.join(' ')} END`;
}

/**
 * The test that a discriminator stands for one of the entities, in SQL. Its own values are compared, so that an index of
 * the column can be used.
 */
export function entityTestText(column: string, values: Discriminator['values'], names: readonly string[]): string {
  const constants =
    values === undefined
      ? names.map(quoteConstant)
      : values.filter(([, name]) => names.includes(name)).map(([value]) => constantOf(value));
  return constants.length === 0 ? 'FALSE' : `${column} IN (${constants.join(', ')})`;
}
