import type { Application } from '@lintel/application';
import { declareCache } from '@lintel/cache';
import {
  type ApiPaths,
  apiSchemas,
  buildDocument,
  callableRoutes,
  type DocumentParts,
  genericRoutes,
  type RouteDescription,
  type RouteRights,
  restApiInfo,
  TAG_DESCRIPTIONS,
  WEBHOOKS,
} from '@lintel/contracts';
import { type DocumentVersions, documentVersions, LINTEL_VERSION } from '@lintel/http';
import { type Captions, captionsIn, type Messages, type Model } from '@lintel/metadata';
import type { DocumentCaller } from './caller/caller.ts';
import { callerModel } from './caller/caller-model.ts';
import { callerQueries } from './caller/caller-queries.ts';
import { applicationRoutes, storedEntities } from './model/application-routes.ts';
import { entitySchemas } from './model/entity-schemas.ts';

export const DOCUMENTS = declareCache({
  name: 'documents',
  holds: 'the OpenAPI documents as JSON and YAML, each created at its first use',
  where: ['data'],
  keyedBy: 'versions of the model and the messages, locale',
  maxEntries: 100,
  invalidatedBy: [],
  staleness: 'of its versions',
  whileAway: 'no source',
});

/** The documents of one model in one locale; each text is made at its first use. */
export interface Documents {
  /** The API of any application (contract/api-documents.md#endpoints). */
  readonly openapi: DocumentVersions;
  /** The same, with the entities, queries and services of this application (contract/decisions.md#44). */
  readonly openapiDetailed: DocumentVersions;
}

export interface DocumentOptions {
  readonly application: Pick<Application, 'name' | 'version' | 'demoData' | 'predefinedQueries' | 'restServices'>;
  readonly paths: ApiPaths;
  /** Whether examples may be made of the demo data. */
  readonly isDemo: boolean;
  /** The caller whom the documents are limited to; without one they are the same for all callers. */
  readonly caller?: DocumentCaller;
}

/** The version in documents of applications that name none. */
const UNVERSIONED = '0.0.0';

/** Who may not create one needs no messages of webhooks. */
const WEBHOOK = 'sys_Webhook';

/** Their paths match a request of `/entities/X/{entityId}`, too. Each entity has its own searches. */
const AMBIGUOUS: ReadonlySet<string> = new Set(['searchEntities', 'searchEntitiesByUrl']);

/** The OpenAPI documents: the route tables, and for the detailed ones the model. */
export function createDocuments(
  { application, paths, isDemo, caller }: DocumentOptions,
  whole: Model,
  messages: Messages,
  locale: string,
): Documents {
  const parts = caller === undefined ? { application, model: whole } : partsFor(caller, application, whole);
  const { model } = parts;
  const { demoData, ...others } = parts.application;
  // Row-level policies may hide the demo data from a caller.
  const isShown = isDemo && demoData !== undefined && caller === undefined;
  const documented: DocumentOptions['application'] = isShown ? { ...others, demoData } : others;
  const example = exampleEntity(documented.demoData, model);
  const info = restApiInfo(`${application.name}: REST API`, application.version ?? UNVERSIONED, LINTEL_VERSION);
  const callable =
    caller === undefined
      ? (routes: readonly RouteDescription[]) => routes
      : (routes: readonly RouteDescription[]) => callableRoutes(routes, paths, rightsOf(caller, model));
  const webhooks = caller === undefined || model.entities.has(WEBHOOK) ? { webhooks: WEBHOOKS } : {};
  const document = (build: () => Pick<DocumentParts, 'routes' | 'schemas' | 'tagDescriptions'>) =>
    documentVersions(() => {
      const { routes, ...described } = build();
      return buildDocument({ info, server: '/', ...described, routes: callable(routes), ...webhooks });
    });
  return {
    openapi: document(() => ({
      routes: genericRoutes(paths, example),
      schemas: apiSchemas(),
      tagDescriptions: TAG_DESCRIPTIONS,
    })),
    openapiDetailed: document(() => {
      const captions = captionsIn(messages, locale);
      return {
        routes: [
          ...genericRoutes(paths, example).filter(({ operationId }) => !AMBIGUOUS.has(operationId)),
          ...applicationRoutes({ application: documented, model, captions, paths }),
        ],
        schemas: { ...apiSchemas(), ...entitySchemas(model, captions) },
        tagDescriptions: new Map([...TAG_DESCRIPTIONS, ...ownTags(application, model, captions)]),
      };
    }),
  };
}

const partsFor = (caller: DocumentCaller, application: DocumentOptions['application'], whole: Model) => ({
  application: { ...application, predefinedQueries: callerQueries(application.predefinedQueries, whole, caller) },
  model: callerModel(whole, caller),
});

/** Descriptions of the parts of the application, by tag. */
const ownTags = (
  { restServices }: DocumentOptions['application'],
  model: Model,
  captions: Captions,
): readonly (readonly [string, string])[] => [
  ...storedEntities(model).flatMap(({ name }) => [
    [name, captions.entity(name)] as const,
    [`${name} Queries`, `${captions.entity(name)}: predefined queries`] as const,
  ]),
  ...[...restServices.keys()].map((name) => [name, 'Service of the application'] as const),
];

/** The most numerous entity of the demo data. */
function exampleEntity(demoData: Application['demoData'], model: Model): string | undefined {
  const counts = new Map<string, number>();
  for (const { entity } of demoData?.instances ?? [])
    if (model.entities.has(entity)) counts.set(entity, (counts.get(entity) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0];
}

/** The rights that decide which routes the caller may call. */
function rightsOf({ access, mayUse, jobs = [] }: DocumentCaller, model: Model): RouteRights {
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
