import type { RouteRights } from '@lintel/contracts';
import type { Model } from '@lintel/metadata';
import type { DocumentCaller } from './caller.ts';

/** The rights that decide which routes the caller may call. */
export function rightsOf({ access, mayUse, jobs = [] }: DocumentCaller, model: Model): RouteRights {
  const stored = [...model.entities.values()].filter(({ kind }) => kind === 'entity').map(({ name }) => name);
  return {
    mayUse,
    allows: (entity, actions) =>
      (entity === undefined ? stored : [entity]).some((name) => actions.every((action) => access.allows(name, action))),
    // The permission of a single job is enough for the routes of jobs.
    hasSpecific: (name) =>
      access.hasSpecific(name) ||
      (name.startsWith('jobs.') && jobs.some((job) => access.hasSpecific(`${name}.${job}`))),
  };
}
