import type { Application } from '@lintel/application';
import type { Acr } from '@lintel/contracts';
import { isSoftDeleted, type Model } from '@lintel/metadata';
import { type Access, acrFor, type EntityAction, SPECIFIC_PERMISSIONS } from '@lintel/security';

interface Target {
  readonly target: string;
  readonly value: 0 | 1 | 2;
  /** The weakest login after which the caller has the permission, if this one is not enough. */
  readonly acr?: Acr;
}

/** The body of `GET /permissions`. */
export interface Permissions {
  readonly authorities: readonly string[];
  readonly entities: readonly Target[];
  readonly entityAttributes: readonly Target[];
  readonly specifics: readonly Target[];
}

const ACTIONS: readonly EntityAction[] = ['create', 'read', 'update', 'delete'];

/**
 * The permissions of the caller, denied targets with 0 (contract/decisions.md#20). Every entity of the model is
 * listed, embeddables and DTOs too; attribute rights do not depend on entity rights
 * (contract/user.md#permissions).
 */
export function listPermissions(
  model: Model,
  access: Access,
  roles: { readonly resourceRoles: readonly string[]; readonly rowLevelRoles: readonly string[] },
  { jobs = [], events = [] }: Pick<Application, 'jobs' | 'events'> = {},
): Permissions {
  const entities = [...model.entities.values()];
  return {
    authorities: [...roles.resourceRoles, ...roles.rowLevelRoles.map((code) => `row_level_role:${code}`)],
    entities: entities.flatMap(({ name }) =>
      ACTIONS.map((action) => targetOf(`${name}:${action}`, access, (given) => given.allows(name, action))),
    ),
    entityAttributes: entities.flatMap((entity) =>
      [...entity.attributes.values()].map((attribute) => ({
        target: `${entity.name}:${attribute.name}`,
        value: attributeValue(access, entity.name, attribute.name),
      })),
    ),
    specifics: [
      ...SPECIFIC_PERMISSIONS.map((name) => targetOf(name, access, (given) => given.hasSpecific(name))),
      ...[...specificsOfEntities(model), ...specificsOfJobs(jobs), ...specificsOfEvents(events)].map(
        ({ general, name }) =>
          targetOf(
            `${general}.${name}`,
            access,
            (given) => given.hasSpecific(general) || given.hasSpecific(`${general}.${name}`),
          ),
      ),
    ],
  };
}

const specificsOfJobs = (jobs: NonNullable<Application['jobs']>) =>
  jobs.flatMap(({ name }) => ['jobs.read', 'jobs.manage'].map((general) => ({ general, name })));

const specificsOfEvents = (events: NonNullable<Application['events']>) =>
  events.map(({ type }) => ({ general: 'events.read', name: type }));

/** The permissions for the history and the bin of each root entity that has them (contract/roles.md#specific). */
const specificsOfEntities = (model: Model): readonly { readonly general: string; readonly name: string }[] =>
  [...model.entities.values()]
    .filter(({ kind, ancestor }) => kind === 'entity' && ancestor === undefined)
    .flatMap((entity) =>
      [
        ...(entity.history === undefined ? [] : ['history.read']),
        ...(isSoftDeleted(entity) ? ['bin.read', 'bin.restore', 'bin.purge'] : []),
      ].map((general) => ({ general, name: entity.name })),
    );

function targetOf(target: string, access: Access, isGranted: (access: Access) => boolean): Target {
  if (isGranted(access)) return { target, value: 1 };
  const acr = acrFor(access, isGranted);
  return acr === undefined ? { target, value: 0 } : { target, value: 0, acr };
}

function attributeValue(access: Access, entity: string, attribute: string): 0 | 1 | 2 {
  if (access.mayModify(entity, attribute)) return 2;
  return access.mayView(entity, attribute) ? 1 : 0;
}
