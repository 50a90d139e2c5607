import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryUrl } from '../release/repository.mjs';

/**
 * The `package.json` of a published package: what all of them have, and what is its own.
 *
 * @param {string} root the repository
 * @param {{ name: string, description: string, [field: string]: unknown }} own
 */
export function manifestOf(root, own) {
  const { version, license, engines, repository, keywords } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  const { name, description, ...rest } = own;
  const address = repositoryUrl(root);
  return {
    name,
    version,
    description,
    license,
    keywords,
    homepage: `${address}#readme`,
    bugs: { url: `${address}/issues` },
    repository,
    type: 'module',
    engines,
    publishConfig: { access: 'public' },
    ...rest,
  };
}
