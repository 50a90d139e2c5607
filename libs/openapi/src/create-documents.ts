import type { Application } from '@lintel/application';
import { declareCache } from '@lintel/cache';
import {
  type ApiPaths,
  buildDocument,
  genericDocument,
  genericRoutes,
  restApiInfo,
  SCHEMAS,
  TAG_DESCRIPTIONS,
  WEBHOOKS,
} from '@lintel/contracts';
import { type DocumentTexts, documentTexts, LINTEL_VERSION } from '@lintel/http';
import { type Captions, captionsIn, type Messages, type Model } from '@lintel/metadata';
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
  readonly openapi: DocumentTexts;
  /** The same, with the entities, queries and services of this application (contract/decisions.md#44). */
  readonly openapiDetailed: DocumentTexts;
}

export interface DocumentOptions {
  readonly application: Pick<Application, 'name' | 'version' | 'demoData' | 'predefinedQueries' | 'restServices'>;
  readonly paths: ApiPaths;
  /** Whether examples may be made of the demo data. */
  readonly isDemo: boolean;
}

/** The version in documents of applications that name none. */
const UNVERSIONED = '0.0.0';

/** Their paths match a request of `/entities/X/{entityId}`, too. Each entity has its own searches. */
const AMBIGUOUS: ReadonlySet<string> = new Set(['searchEntities', 'searchEntitiesByUrl']);

/** The OpenAPI documents: the route tables, and for the detailed ones the model; independent of rights. */
export function createDocuments(
  { application, paths, isDemo }: DocumentOptions,
  model: Model,
  messages: Messages,
  locale: string,
): Documents {
  const { demoData, ...others } = application;
  const documented: DocumentOptions['application'] =
    isDemo && demoData !== undefined ? { ...others, demoData } : others;
  const example = exampleEntity(documented.demoData, model);
  const info = restApiInfo(`${application.name}: REST API`, application.version ?? UNVERSIONED, LINTEL_VERSION);
  return {
    openapi: documentTexts(() => genericDocument(info, paths, example)),
    openapiDetailed: documentTexts(() => {
      const captions = captionsIn(messages, locale);
      return buildDocument({
        info,
        server: '/',
        routes: [
          ...genericRoutes(paths, example).filter(({ operationId }) => !AMBIGUOUS.has(operationId)),
          ...applicationRoutes({ application: documented, model, captions, paths }),
        ],
        schemas: { ...SCHEMAS, ...entitySchemas(model, captions) },
        webhooks: WEBHOOKS,
        tagDescriptions: new Map([...TAG_DESCRIPTIONS, ...ownTags(application, model, captions)]),
      });
    }),
  };
}

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
