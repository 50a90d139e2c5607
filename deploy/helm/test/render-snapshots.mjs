/**
 * `node --conditions=lintel-source deploy/helm/test/render-snapshots.mjs`: renders the chart with each set of values into
 * `snapshots/`, with the Helm that the tests use. What changes there is what an upgrade changes in a cluster: read it.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startHost } from '@lintel/testkit/host';
import { HELM_FOLDER, renderChart, snapshotOf, VALUE_SETS } from './chart.ts';

const host = await startHost(['helm']);
try {
  mkdirSync(join(HELM_FOLDER, 'test', 'snapshots'), { recursive: true });
  for (const set of VALUE_SETS) {
    writeFileSync(snapshotOf(set), await renderChart(host.environment.LINTEL_TEST_HELM_PROGRAM, set));
    process.stdout.write(`${snapshotOf(set)}\n`);
  }
} finally {
  await host.stop();
}
