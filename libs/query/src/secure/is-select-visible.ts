import { isPlatformError } from '@lintel/errors';
import type { Entity, Model } from '@lintel/metadata';
import type { ReadAccess } from '../access.ts';
import type { SelectQuery } from '../ast/select-query.ts';
import type { QueryParameter } from '../parse/parsed-query.ts';
import { resolveSelection } from '../resolve/language/resolve-selection.ts';
import { assertSelectVisible } from './secure-paths.ts';
import { visibilityOf } from './visibility.ts';

/** Whether `secureRead` would accept the query: the caller may see every entity and attribute that its text names. */
export function isSelectVisible(
  model: Model,
  entity: Entity,
  query: SelectQuery,
  parameters: readonly QueryParameter[],
  access: ReadAccess,
): boolean {
  const visibility = visibilityOf(model, access);
  if (!visibility.canRead(entity)) return false;
  const { select, root } = resolveSelection(model, entity, query, parameters);
  try {
    assertSelectVisible(model, select, root, visibility);
    return true;
  } catch (error) {
    if (isPlatformError(error) && error.code === 'ACCESS_READ_DENIED') return false;
    throw error;
  }
}
