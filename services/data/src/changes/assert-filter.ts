import type { Model } from '@lintel/metadata';
import { bindStatement, parseRead, type ReadAccess } from '@lintel/query';
import { compileQuery, type ReadDependencies } from '@lintel/reading';

/**
 * Checks a filter with its values by the pure stages of reading: it refuses a filter that cannot be compiled or that
 * exceeds the general limits. The rights of the owner are checked when a change is sent.
 *
 * @param author what who saves the filter may read
 * @throws PlatformError (400, 403) as a search with that filter would
 */
export function assertFilter(
  model: Model,
  entityName: string,
  filter: string,
  author: ReadAccess,
  { displayIn, limits, limitsOf }: Pick<ReadDependencies, 'displayIn' | 'limits' | 'limitsOf'>,
): void {
  const request = { operation: 'count', entityName, filterRequired: true, members: { filter } } as const;
  const parsed = parseRead(request, limits, limitsOf({ resourceRoles: [] }));
  const variant = { isUnlimited: false, after: undefined, display: displayIn(''), tokens: false };
  const { count } = compileQuery(parsed, model, author, variant);
  const { inputs, times } = parsed;
  bindStatement(count(), {
    model,
    inputs,
    times,
    now: new Date(),
    id: [],
    limit: undefined,
    offset: undefined,
    sessionValue: () => undefined,
  });
}
