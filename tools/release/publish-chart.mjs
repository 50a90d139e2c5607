/**
 * `node tools/release/publish-chart.mjs <host/path>`: packages the chart with Helm and pushes it to a registry. Prints
 * the reference with its digest, which is signed.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../bootstrap/failure.mjs';
import { reportFailure } from '../bootstrap/report-failure.mjs';
import { isLocal, run, withFolder } from './run.mjs';

const [target = ''] = process.argv.slice(2);

await withFolder(async (folder) => {
  await run('helm', ['package', 'deploy/helm/lintel', '--destination', folder]);
  const [file] = readdirSync(folder);
  const plain = isLocal(target) ? ['--plain-http'] : [];
  const output = await run('helm', ['push', join(folder, file), `oci://${target}`, ...plain]);
  const digest = /Digest:\s*(sha256:[0-9a-f]{64})/.exec(output)?.[1];
  if (digest === undefined) throw new Failure('helm push has printed no digest.', 'Its messages are above.', output);
  process.stdout.write(`${target}/lintel@${digest}\n`);
}).catch(reportFailure);
