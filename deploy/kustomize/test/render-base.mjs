/**
 * `node --conditions=lintel-source deploy/kustomize/test/render-base.mjs`: renders the base from the chart, with the Helm
 * that the tests use. `kustomization.yaml` and overlays are written by hand.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { startHost } from '@lintel/testkit/host';
import { KUSTOMIZE_FOLDER, renderBase } from './kustomize.ts';

const host = await startHost(['helm']);
try {
  for (const [path, text] of await renderBase(host.environment.LINTEL_TEST_HELM_PROGRAM)) {
    const file = join(KUSTOMIZE_FOLDER, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    process.stdout.write(`${path}\n`);
  }
} finally {
  await host.stop();
}
