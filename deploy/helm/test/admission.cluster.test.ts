import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { testEnvironment } from '@lintel/testkit';
import { KUSTOMIZE_FOLDER } from '../../kustomize/test/kustomize.ts';
import { CHART } from './chart.ts';

/* An API server judges the objects, in namespaces whose pods are restricted. It has no nodes. */

const run = promisify(execFile);
const helm = testEnvironment('LINTEL_TEST_HELM_PROGRAM');
const kubectl = (...parameters: readonly string[]) => run('kubectl', parameters);

async function makeNamespace(name: string): Promise<void> {
  await kubectl('create', 'namespace', name);
  const levels = ['enforce', 'warn'].map((mode) => `pod-security.kubernetes.io/${mode}=restricted`);
  await kubectl('label', 'namespace', name, ...levels);
}

test('pods that are not restricted have a warning', async () => {
  await makeNamespace('warning');
  const { stderr } = await kubectl('--namespace', 'warning', 'create', 'deployment', 'root', '--image', 'none');
  expect(stderr).toContain('would violate PodSecurity "restricted:latest"');
});

// The other sets have objects of what may be installed in a cluster.
test.each(['hardened', 'minimal', 'small'])(
  'the chart with the values %s is admitted without a warning',
  async (set) => {
    await makeNamespace(set);
    const parameters = ['lintel', CHART, '--namespace', set, '--no-hooks'];
    const values = ['--values', join(CHART, '..', 'values', `${set}.yaml`)];
    expect((await run(helm, ['install', ...parameters, ...values])).stderr).toBe('');
    expect((await run(helm, ['upgrade', ...parameters, ...values, '--set', 'data.replicas=4'])).stderr).toBe('');
    const list = ['--namespace', set, 'get', '--output', 'jsonpath={.items[*].spec.replicas}'];
    const data = [...list, 'deployments', '--selector', 'app.kubernetes.io/component=data'];
    expect((await kubectl(...data)).stdout).toBe('4');
    await run(helm, ['uninstall', 'lintel', '--namespace', set]);
    expect((await kubectl(...list, 'deployments')).stdout).toBe('');
  },
);

describe('the overlay', () => {
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lintel-overlay-'));
    cpSync(KUSTOMIZE_FOLDER, folder, { recursive: true });
    const development = join(folder, 'overlays', 'development');
    cpSync(join(development, 'secrets.env.example'), join(development, 'secrets.env'));
    await makeNamespace('lintel');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each(['development', 'production'])(
    '%s is applied without a warning, and then changes nothing',
    async (name) => {
      const overlay = join(folder, 'overlays', name);
      expect((await kubectl('apply', '--kustomize', overlay)).stderr).toBe('');
      expect((await kubectl('diff', '--kustomize', overlay)).stdout).toBe('');
      await kubectl('delete', '--kustomize', overlay);
    },
  );
});
