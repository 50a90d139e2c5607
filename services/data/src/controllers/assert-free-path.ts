import type { ControllerDefinition } from '@lintel/application';
import { StartError } from '@lintel/errors';

/** Paths of the platform outside of the REST API, including those of the gateway. */
const OUTSIDE = ['/oauth', '/oauth2', '/.well-known', '/as-login', '/logout', '/health', '/internal', '/rest/reports'];

/**
 * Checks that no controller has a path of the platform: it would never be called, or hide a part of the API.
 *
 * @param basePath base path of the REST API
 * @param own paths of the platform below the base path
 * @throws StartError with both paths
 */
export function assertFreePaths(
  controllers: readonly ControllerDefinition[],
  basePath: string,
  own: readonly string[],
): void {
  const taken = [...OUTSIDE, ...own.map((path) => `${basePath}${path}`)];
  for (const { path } of controllers) {
    const conflict = taken.find((each) => path === each || path.startsWith(`${each}/`));
    if (conflict !== undefined)
      throw new StartError(`The controller at ${path} lies in ${conflict}, which the platform serves`);
    // A parameter as the first segment would match the paths of the platform as well.
    const isOpen = path.startsWith(`${basePath}/`) ? /^\/[:*]/.test(path.slice(basePath.length)) : /^\/[:*]/.test(path);
    if (isOpen || path === basePath) throw new StartError(`The controller at ${path} would hide paths of the platform`);
  }
}
