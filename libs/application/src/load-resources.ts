import type { Application } from './application.ts';
import { bindApplication } from './define-application.ts';
import { loadFetchPlans } from './fetch-plans/load-fetch-plans.ts';
import { loadMessages } from './messages/load-messages.ts';
import { loadQueries } from './queries/load-queries.ts';
import { loadServices } from './services/config/load-services.ts';
import { loadTransformations } from './transformations/load-transformations.ts';

/** Names of the resource files, from the settings of a service. */
export interface ResourceNames {
  readonly fetchPlansConfig: readonly string[];
  readonly servicesConfig: readonly string[];
  readonly availableLocales: readonly string[];
  readonly queriesConfig: readonly string[];
  readonly jsonTransformationConfig: readonly string[];
  /** Whether all entities of the application are read-only (`svc.data.read-only`). */
  readonly readOnly: boolean;
}

/** Reads resource files of the application; `readResource` and `findResource` of `@lintel/config`. */
export interface ResourceReader {
  readonly readResource: (application: Application, name: string) => Promise<string>;
  /** Undefined if there is no such file. */
  readonly findResource: (application: Application, name: string) => Promise<string | undefined>;
}

/**
 * Returns the application with the definitions of its resource files. Fetch plans are loaded first, since the others
 * may name them.
 *
 * @throws StartError naming the file and the position of the error
 */
export async function loadResources(
  bare: Application,
  names: ResourceNames,
  { readResource, findResource }: ResourceReader,
): Promise<Application> {
  const planned = await loadFetchPlans(
    names.readOnly ? withoutWrites(bare) : bare,
    names.fetchPlansConfig,
    readResource,
  );
  const served = await loadServices(planned, names.servicesConfig, readResource);
  const worded = await loadMessages(served, names.availableLocales, findResource);
  const queried = await loadQueries(worded, names.queriesConfig, readResource);
  return loadTransformations(queried, names.jsonTransformationConfig, readResource);
}

/** The application with all of its entities read-only; those of the platform, such as users, stay as they are. */
const withoutWrites = (application: Application): Application =>
  bindApplication(
    { ...application, entities: application.entities.map((entity) => ({ ...entity, readOnly: true })) },
    [],
  );
