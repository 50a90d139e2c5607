import type { Application } from '../application.ts';
import { bindQueries, locatedInCode } from './bind-queries.ts';
import { parseQueries } from './parse-queries.ts';

/**
 * The application with its predefined queries: those it defines in code, then those of its XML resources
 * (`svc.rest.queries-config`). Its fetch plans must be loaded first.
 *
 * @param readResource text of a resource of the application; `readResource` of `@lintel/config`
 * @param namedPlansKnown as for `bindQueries`
 * @throws QueryDefinitionError if a query is wrong, and the errors of `readResource`
 */
export async function loadQueries(
  application: Application,
  names: readonly string[],
  readResource: (application: Application, name: string) => Promise<string>,
  namedPlansKnown = true,
): Promise<Application> {
  const queries = (application.queries ?? []).map(locatedInCode);
  for (const name of new Set(names))
    queries.push(...parseQueries({ name, text: await readResource(application, name) }));
  return Object.freeze({ ...application, predefinedQueries: bindQueries(queries, application.model, namedPlansKnown) });
}
