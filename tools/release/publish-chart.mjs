/**
 * `node tools/release/publish-chart.mjs <oci://host/path> [--plain-http] [--helm <program>]`: packages the chart and pushes it to a
 * registry. Prints the reference with its digest, which is signed.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../bootstrap/paths.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'plain-http': { type: 'boolean', default: false }, helm: { type: 'string', default: 'helm' } },
});
const [target] = positionals;
const { helm } = values;
const options = values['plain-http'] ? ['--plain-http'] : [];
if (!target?.startsWith('oci://')) {
  process.stderr.write('Name the registry: publish-chart.mjs oci://ghcr.io/owner/charts\n');
  process.exit(1);
}
const folder = mkdtempSync(join(tmpdir(), 'lintel-chart-'));
try {
  run(['package', join(ROOT, 'deploy', 'helm', 'lintel'), '--destination', folder]);
  const [file] = readdirSync(folder);
  const output = run(['push', join(folder, file), target, ...options]);
  const digest = /Digest:\s*(sha256:[0-9a-f]{64})/.exec(output)?.[1];
  if (digest === undefined) throw new Error(`helm push has printed no digest:\n${output}`);
  process.stdout.write(`${target.slice('oci://'.length)}/lintel@${digest}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Helm writes what it has pushed to the error output. */
function run(parameters) {
  return execFileSync('/bin/sh', ['-c', '"$0" "$@" 2>&1', helm, ...parameters], { encoding: 'utf8' });
}
