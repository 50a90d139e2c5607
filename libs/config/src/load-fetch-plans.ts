import { type Application, bindApplication, includedResources, parseFetchPlans } from '@lintel/application';
import { readResource } from './read-resource.ts';

/**
 * The application with the fetch plans of its XML resources (`svc.core.fetch-plans-config`), included ones
 * too; each resource counts once.
 *
 * @throws ConfigurationError where a resource cannot be read, FetchPlanError where a plan is wrong
 */
export async function loadFetchPlans(application: Application, names: readonly string[]): Promise<Application> {
  const sources = new Map<string, { readonly name: string; readonly text: string }>();
  const pending = [...names];
  for (let name = pending.shift(); name !== undefined; name = pending.shift()) {
    if (sources.has(name)) continue;
    const source = { name, text: await readResource(application, name) };
    sources.set(name, source);
    pending.push(...includedResources(source));
  }
  return bindApplication(application, parseFetchPlans([...sources.values()], application.model));
}
