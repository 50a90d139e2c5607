import { isStartError, type StartError } from '@lintel/errors';
import type { Application } from './application.ts';
import { rowPolicyProblems } from './checks/check-definition.ts';
import { checkDemoData } from './checks/check-demo-data.ts';
import { bindApplication } from './define-application.ts';
import { loadFetchPlans } from './fetch-plans/load-fetch-plans.ts';
import { ApplicationError, throwProblems } from './invalid-application.ts';
import { loadMessages } from './messages/load-messages.ts';
import { loadQueries } from './queries/load-queries.ts';
import { loadServices } from './services/config/load-services.ts';
import { loadTransformations } from './transformations/load-transformations.ts';

/** Names of the resource files, from the settings of a service. */
export interface ResourceNames {
  /** Files of `svc.core.fetch-plans-config`. */
  readonly fetchPlansConfig: readonly string[];
  /** Files of `svc.rest.services-config`. */
  readonly servicesConfig: readonly string[];
  /** Locales of the messages files that are looked for (`svc.core.available-locales`). */
  readonly availableLocales: readonly string[];
  /** Files of `svc.rest.queries-config`. */
  readonly queriesConfig: readonly string[];
  /** Files of `svc.rest.json-transformation-config`. */
  readonly jsonTransformationConfig: readonly string[];
  /** Whether all entities of the application are read-only (`svc.data.read-only`). */
  readonly readOnly: boolean;
  /** Whether the demo data is used, and so checked (`svc.demo.enabled`). */
  readonly demoEnabled: boolean;
}

/** Reads resource files of the application; `readResource` and `findResource` of `@lintel/config`. */
export interface ResourceReader {
  /** Rejects if there is no such file. */
  readonly readResource: (application: Application, name: string) => Promise<string>;
  /** Undefined if there is no such file. */
  readonly findResource: (application: Application, name: string) => Promise<string | undefined>;
}

/**
 * Returns the application with the definitions of its resource files. Fetch plans are loaded first, since the others
 * may name them. Checks what `defineApplication` leaves to the services that use it.
 *
 * @throws StartError naming every error in row-level policies, queries and demo data, and the file and the position of
 *   each error of all files
 */
export async function loadResources(
  bare: Application,
  names: ResourceNames,
  { readResource, findResource }: ResourceReader,
): Promise<Application> {
  const errors: StartError[] = [];
  const attempt = async (
    application: Application,
    load: (application: Application) => Promise<Application>,
  ): Promise<Application> => {
    try {
      return await load(application);
    } catch (error) {
      if (!isStartError(error)) throw error;
      errors.push(error);
      return application;
    }
  };
  const planned = await attempt(names.readOnly ? withoutWrites(bare) : bare, (one) =>
    loadFetchPlans(one, names.fetchPlansConfig, readResource),
  );
  const namedPlansKnown = errors.length === 0;
  const served = await attempt(planned, (one) => loadServices(one, names.servicesConfig, readResource));
  const worded = await attempt(served, (one) => loadMessages(one, names.availableLocales, findResource));
  const problems = [
    ...rowPolicyProblems(bare, bare.model),
    ...(names.demoEnabled ? checkDemoData(bare.demoData, bare.model, bare) : []),
  ];
  if (problems.length > 0) errors.push(new ApplicationError(problems));
  const queried = await attempt(worded, (one) => loadQueries(one, names.queriesConfig, readResource, namedPlansKnown));
  const whole = await attempt(queried, (one) => loadTransformations(one, names.jsonTransformationConfig, readResource));
  throwProblems(errors);
  return whole;
}

/** The application with all of its entities read-only; those of the platform, such as users, stay as they are. */
const withoutWrites = (application: Application): Application =>
  bindApplication({
    ...application,
    entities: application.entities.map((entity) => ({ ...entity, readOnly: true })),
  });
