import { readdirSync, readFileSync } from 'node:fs';

const root = new URL('../../../', import.meta.url);
const REGISTERED =
  /\b(?:router|internal|open|rest)\s*\.(get|head|options|post|put|patch|delete|all|route)\(\s*(`[^`]*`|'[^']*'|[\w.]+)/g;
/** A route that an internal listener returns by `respondInternal`. */
const INTERNAL = /\brespondInternal\(\s*\w+,\s*('[^']*')/g;
/** A route of a router of another name. */
const ELSEWHERE =
  /\b(?!(?:router|internal|open|rest)\b)(\w+)\.(get|head|options|post|put|patch|delete|all|route)\(\s*(['`]\/[^'`]*['`])\s*,/g;
/** A route in a list, for `addRoutes`. */
const LISTED = /\{\s*method: '(\w+)',\s*path: (`[^`]*`)/g;
const GATEWAY_PREFIX = /\b(?:pass|exchange)\(\s*[`']([^`']+)[`']/g;

/** Routes that services and their libraries register: `<package>/<file> <method> <path as it is written>`. */
export function registeredRoutes(): readonly string[] {
  const packages = ['services', 'libs'].flatMap((group) =>
    readdirSync(new URL(`${group}/`, root)).map((name) => [name, new URL(`${group}/${name}/src/`, root)] as const),
  );
  return packages.flatMap(([service, folder]) => {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(routes|feature)\.ts$/.test(file))
      .flatMap((file) => {
        const source = readFileSync(new URL(file, folder), 'utf8');
        const routes = [
          ...Array.from(source.matchAll(REGISTERED), ([, method, path = '']) => [method, path] as const),
          ...Array.from(source.matchAll(LISTED), ([, method, path = '']) => [method, path] as const),
          ...Array.from(source.matchAll(INTERNAL), ([, path = '']) => ['post', path] as const),
        ].map(([method, path]) => `${service}/${file.split('/').at(-1)} ${method} ${path.replaceAll(/[`'$]/g, '')}`);
        if (!file.endsWith('.feature.ts')) return routes;
        return [
          ...routes,
          ...Array.from(source.matchAll(ELSEWHERE), ([text]) => `${service}/${file} registers ${text}`),
        ];
      });
  });
}

/** Prefixes of the gateway's route table, with `/rest` for the base path. */
export function gatewayPrefixes(): readonly string[] {
  const table = readFileSync(new URL('services/gateway/src/routing/routes.ts', root), 'utf8');
  return [...table.matchAll(GATEWAY_PREFIX)].map(([, prefix = '']) =>
    prefix
      .replace(/\$\{basePath\}/, '/rest')
      .replace(/\$\{filesPath\}/, '/files')
      .replace(/\$\{changesPath\}/, '/changes'),
  );
}
