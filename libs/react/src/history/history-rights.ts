import type { ApplicationModel } from '../model/load-model.ts';

type RightsModel = Pick<ApplicationModel, 'entities' | 'rights'>;

/** Permissions for the history and the bin of an entity. */
export type HistoryPermission = 'history.read' | 'bin.read' | 'bin.restore' | 'bin.purge';

/** The farthest ancestor of an entity, of which its history and its bin are. */
export function rootName({ entities }: Pick<ApplicationModel, 'entities'>, entity: string): string {
  const ancestor = entities.get(entity)?.ancestor ?? undefined;
  return ancestor === undefined ? entity : rootName({ entities }, ancestor);
}

/** Whether an entity has a history or a bin, and the user may use it. */
export const mayUse = (model: RightsModel, permission: HistoryPermission, entity: string): boolean =>
  model.rights.has(`${permission}.${rootName(model, entity)}`) && model.rights.may(entity, 'read');
