import type { Application } from '../application.ts';
import { withNamedPlans } from '../define-application.ts';
import { includedResources, parseFetchPlans } from './parse-fetch-plans.ts';

/**
 * The application with the fetch plans of its XML resources (`svc.core.fetch-plans-config`), included ones
 * too; each resource is read once.
 *
 * @param readResource text of a resource of the application; `readResource` of `@lintel/config`
 * @throws FetchPlanError if a plan is wrong, and the errors of `readResource`
 */
export async function loadFetchPlans(
  application: Application,
  names: readonly string[],
  readResource: (application: Application, name: string) => Promise<string>,
): Promise<Application> {
  const sources = new Map<string, { readonly name: string; readonly text: string }>();
  const pending = [...names];
  for (let name = pending.shift(); name !== undefined; name = pending.shift()) {
    if (sources.has(name)) continue;
    const source = { name, text: await readResource(application, name) };
    sources.set(name, source);
    pending.push(...includedResources(source));
  }
  return withNamedPlans(application, parseFetchPlans([...sources.values()], application.model));
}
