import type { Application } from '../application.ts';
import { jsonVersions } from './json-version.ts';
import { parseTransformations } from './parse-transformations.ts';

/**
 * The application with the versions of its model that XML resources describe
 * (`svc.rest.json-transformation-config`).
 *
 * @param readResource text of a resource of the application; `readResource` of `@lintel/config`
 * @throws TransformationConfigError if a file is wrong, and the errors of `readResource`
 */
export async function loadTransformations(
  application: Application,
  names: readonly string[],
  readResource: (application: Application, name: string) => Promise<string>,
): Promise<Application> {
  const sources = await Promise.all(names.map(async (name) => ({ name, text: await readResource(application, name) })));
  const transformations = parseTransformations(sources, application.model, application.jsonTransformers);
  return Object.freeze({ ...application, modelVersions: jsonVersions(transformations) });
}
