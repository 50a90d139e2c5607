import { compileQuery, type ReadDependencies, UNLIMITED_ACCESS } from '@lintel/entities';
import type { Model } from '@lintel/metadata';
import { bindStatement, parseRead } from '@lintel/query';

/**
 * Checks a filter with its values by the pure stages of reading: it refuses a filter that cannot be compiled or that
 * exceeds the general limits. The rights of the owner are checked when a change is sent.
 *
 * @throws PlatformError (400) as a search with that filter would
 */
export function assertFilter(
  model: Model,
  entityName: string,
  filter: string,
  { displayIn, limits, limitsOf }: Pick<ReadDependencies, 'displayIn' | 'limits' | 'limitsOf'>,
): void {
  const request = { operation: 'count', entityName, filterRequired: true, members: { filter } } as const;
  const parsed = parseRead(request, limits, limitsOf({ resourceRoles: [] }));
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
