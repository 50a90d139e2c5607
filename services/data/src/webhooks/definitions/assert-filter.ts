import type { Model } from '@lintel/metadata';
import { bindStatement, parseRead } from '@lintel/query';
import { compileQuery } from '../../entities/compile-query.ts';
import type { ReadDependencies } from '../../entities/read-dependencies.ts';
import { UNLIMITED_ACCESS } from '../../entities/write/execute/unlimited-access.ts';

/**
 * Takes a filter through the pure stages of reading, with its values: what could not be asked of the database is
 * refused. Rights are its owner's matter, when something is told.
 *
 * @throws PlatformError (400) as a search with that filter would
 */
export function assertFilter(
  model: Model,
  entityName: string,
  filter: string,
  { displayIn, limits }: Pick<ReadDependencies, 'displayIn' | 'limits'>,
): void {
  const parsed = parseRead({ operation: 'count', entityName, filterRequired: true, members: { filter } }, limits);
  const variant = { isUnlimited: false, after: undefined, display: displayIn(''), tokens: false };
  const { count } = compileQuery(parsed, model, UNLIMITED_ACCESS.read, variant);
  const { inputs } = parsed;
  bindStatement(count(), {
    model,
    inputs,
    id: [],
    limit: undefined,
    offset: undefined,
    sessionValue: () => undefined,
  });
}
