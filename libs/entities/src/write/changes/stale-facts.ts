import { REPORT_DEFINITION_ENTITIES } from '@lintel/application';
import type { StaleFact } from '@lintel/cache';
import { DYNAMIC_ATTRIBUTE_ENTITIES, MESSAGE_ENTITIES } from '@lintel/metadata';
import { ROLE_ENTITIES } from '@lintel/security';

const namesOf = (entities: readonly { readonly name: string }[]): ReadonlySet<string> =>
  new Set(entities.map(({ name }) => name));

const SNAPSHOTS = [
  { type: 'data.roles.changed.v1', subject: 'roles', entities: namesOf(ROLE_ENTITIES) },
  { type: 'data.messages.changed.v1', subject: 'messages', entities: namesOf(MESSAGE_ENTITIES) },
  { type: 'data.reports.changed.v1', subject: 'reports', entities: namesOf(REPORT_DEFINITION_ENTITIES) },
] as const;

/** Entities whose instances caches are made of that have no event of their own. */
const CACHED_ENTITIES: ReadonlySet<string> = namesOf(DYNAMIC_ATTRIBUTE_ENTITIES);

/** The events of what is made of all instances of some entities: roles, texts, reports. */
export const snapshotEventsOf = (changed: readonly string[]): readonly (typeof SNAPSHOTS)[number][] =>
  SNAPSHOTS.filter(({ entities }) => changed.some((name) => entities.has(name)));

export const entityFact = (entity: string): StaleFact => ({ type: 'data.entity.changed.v1', data: { entity } });

/** What changes of the entities make stale in caches other than those of query results. */
export const staleFactsOf = (changed: readonly string[]): readonly StaleFact[] => [
  ...snapshotEventsOf(changed).map(({ type }) => ({ type, data: {} })),
  ...changed.filter((name) => CACHED_ENTITIES.has(name)).map(entityFact),
];
