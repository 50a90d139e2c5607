/**
 * `node tools/release/sign-image.mjs <image@sha256:…> [--bill <file>] [--key <key>]`: signs an image in a registry, and
 * attests the list of its packages, which is taken from the image and stored in the file.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { reportFailure } from '../bootstrap/report-failure.mjs';
import { cosign } from './cosign.mjs';
import { run, withFolder } from './run.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { bill: { type: 'string' }, key: { type: 'string' } },
});
const [image] = positionals;

await withFolder(async (folder) => {
  const bill = values.bill ?? join(folder, 'sbom.cdx.json');
  await cosign('sign', [image], values.key);
  // Above the name, Docker may say that it pulls the image.
  const container = (await run('docker', ['create', image])).split('\n').at(-1);
  await run('docker', ['cp', `${container}:/app/sbom.cdx.json`, bill]);
  await run('docker', ['rm', container]);
  await cosign('attest', ['--type', 'cyclonedx', '--predicate', bill, image], values.key);
}).catch(reportFailure);
