import type { Application } from '../../application.ts';
import { isServiceComponent } from '../service-component.ts';
import { parseServicesConfig } from './parse-services-config.ts';

/**
 * The application with the services of its XML resources (`svc.rest.services-config`). The definition in
 * code takes precedence (contract/services.md#exposure).
 *
 * @param readResource text of a resource of the application; `readResource` of `@lintel/config`
 * @throws ServicesConfigError if a file is wrong, and the errors of `readResource`
 */
export async function loadServices(
  application: Application,
  names: readonly string[],
  readResource: (application: Application, name: string) => Promise<string>,
): Promise<Application> {
  const sources = await Promise.all(names.map(async (name) => ({ name, text: await readResource(application, name) })));
  const components = (application.services ?? []).filter(isServiceComponent);
  const configured = parseServicesConfig(sources, components, application.model);
  const restServices = new Map([
    ...configured.map((service) => [service.name, service] as const),
    ...application.restServices,
  ]);
  return Object.freeze({ ...application, restServices });
}
