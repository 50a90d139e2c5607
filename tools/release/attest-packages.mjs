/**
 * `node tools/release/attest-packages.mjs [--key <key>]`: signs which commit the packages of `npm run pack` are made
 * of. `provenance.sigstore.json` beside them is an in-toto statement with the provenance of SLSA, signed by cosign.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT, STATE } from '../bootstrap/paths.mjs';
import { reportFailure } from '../bootstrap/report-failure.mjs';
import { cosign } from './cosign.mjs';
import { repositoryUrl } from './repository.mjs';
import { run, withFolder } from './run.mjs';

const FOLDER = join(STATE, 'packages');
const { values } = parseArgs({ options: { key: { type: 'string' } } });
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const files = JSON.parse(readFileSync(join(FOLDER, 'packages.json'), 'utf8'));

await withFolder(async (folder) => {
  const statement = join(folder, 'statement.json');
  writeFileSync(statement, JSON.stringify(await provenance()));
  const bundle = join(FOLDER, 'provenance.sigstore.json');
  const [first] = Object.values(files);
  await cosign('attest-blob', ['--statement', statement, '--bundle', bundle, join(FOLDER, first)], values.key);
}).catch(reportFailure);

async function provenance() {
  const address = repositoryUrl(ROOT);
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: Object.entries(files).map(([name, file]) => ({
      name: `pkg:npm/${name.replace('@', '%40')}@${version}`,
      digest: {
        sha256: createHash('sha256')
          .update(readFileSync(join(FOLDER, file)))
          .digest('hex'),
      },
    })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: `${address}/blob/v${version}/tools/pack/pack.mjs`,
        externalParameters: { version },
        resolvedDependencies: [
          { uri: `git+${address}`, digest: { gitCommit: await run('git', ['rev-parse', 'HEAD']) } },
          { uri: `pkg:generic/node@${process.versions.node}` },
        ],
      },
      runDetails: { builder: { id: `${address}/blob/v${version}/tools/release/release.mjs` } },
    },
  };
}
