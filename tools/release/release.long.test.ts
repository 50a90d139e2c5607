import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { OTHER_KEY, openReleaseTarget, type ReleaseTarget } from './test/release-target.ts';

const run = promisify(execFile);

let target: ReleaseTarget;
beforeAll(async () => {
  target = await openReleaseTarget();
}, 600_000);
afterAll(() => target?.close());

test('the chart is pushed to a registry, found there by version and by the printed digest, and signed', async () => {
  const [chart = ''] = await target.release('--charts', `${target.address}/charts`);
  expect(chart).toMatch(new RegExp(`^${target.address}/charts/lintel@sha256:[0-9a-f]{64}$`));
  const show = await run('helm', ['show', 'chart', `oci://${chart}`, '--plain-http'], { env: target.environment });
  expect(show.stdout).toContain('name: lintel');
  expect(JSON.parse(await target.verify(['verify'], chart))).toMatchObject([
    { critical: { image: expect.anything() } },
  ]);
  await expect(target.verify(['verify'], chart, OTHER_KEY)).rejects.toThrow('signature');
});
