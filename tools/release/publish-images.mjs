/**
 * `node tools/release/publish-images.mjs <host/path> <runtime>`: builds the images of the services with Docker and
 * pushes them as `<host/path>-<service>`; `plain` or `documents` is the runtime of reports. Prints a reference with its
 * digest in each line. The variables `BUILD_IMAGE` and `RUNTIME_IMAGE` name other base images.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../bootstrap/failure.mjs';
import { ROOT } from '../bootstrap/paths.mjs';
import { reportFailure } from '../bootstrap/report-failure.mjs';
import { run } from './run.mjs';

const SERVICES = ['gateway', 'auth', 'data', 'files', 'reports'];
const [target, runtime] = process.argv.slice(2);
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

try {
  const revision = await run('git', ['rev-parse', 'HEAD']);
  for (const service of SERVICES) {
    const image = `${target}-${service}`;
    const parameters = [
      `SERVICE=${service}`,
      `RUNTIME=${service === 'reports' ? runtime : 'plain'}`,
      `VERSION=${version}`,
      `REVISION=${revision}`,
      // Docker takes their values from the environment, if they have any.
      ...['BUILD_IMAGE', 'RUNTIME_IMAGE'],
    ].flatMap((parameter) => ['--build-arg', parameter]);
    await run('docker', ['build', '-f', 'deploy/images/Dockerfile', ...parameters, '-t', `${image}:${version}`, '.']);
    const output = await run('docker', ['push', `${image}:${version}`]);
    const digest = /digest: (sha256:[0-9a-f]{64})/.exec(output)?.[1];
    if (digest === undefined)
      throw new Failure('docker push has printed no digest.', 'Its messages are above.', output);
    process.stdout.write(`${image}@${digest}\n`);
  }
} catch (error) {
  reportFailure(error);
}
