/**
 * For the pipelines: `affected <base>` prints `services=["data",…]`, `test <service>` runs the tests of the service and
 * of what it depends on, `contracts <base>` ends with 1 where changed contracts have no new version.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { affectedServices, SERVICES } from './affected-services.ts';
import { type ContractState, contractVersionProblem } from './contract-version.ts';
import { selectedPackages } from './turbo.ts';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
/** A branch that is new has no commit before. */
const NO_COMMIT = /^0*$/;

const git = (...parameters: string[]): string => execFileSync('git', parameters, { cwd: ROOT, encoding: 'utf8' });

function affected(base: string): number {
  const filter = NO_COMMIT.test(base) ? '*' : `...[${base}]`;
  const names = selectedPackages(ROOT, filter).map(({ name }) => name);
  console.log(`services=${JSON.stringify(affectedServices(names))}`);
  return 0;
}

function test(service: string): number {
  if (!SERVICES.some((one) => one === service))
    throw new Error(`There is no service ${service}: ${SERVICES.join(', ')}`);
  const folders = selectedPackages(ROOT, `@lintel/${service}...`).map(({ path }) => `${path}/`);
  const jest = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
  const { status } = spawnSync(
    process.execPath,
    ['--experimental-vm-modules', jest, '--selectProjects', 'unit', 'integration', '--', ...folders],
    { cwd: ROOT, stdio: 'inherit' },
  );
  return status ?? 1;
}

function contracts(base: string): number {
  if (NO_COMMIT.test(base)) return 0;
  const changed = git('diff', '--name-only', base, 'HEAD').split('\n').filter(Boolean);
  const problem = contractVersionProblem(changed, stateAt(base), stateAt('HEAD'));
  if (problem === undefined) return 0;
  console.error(problem);
  return 1;
}

/** Undefined for commits before contracts had versions. */
function stateAt(commit: string): ContractState | undefined {
  const { contractVersion: version } = JSON.parse(git('show', `${commit}:libs/contracts/package.json`)) as {
    readonly contractVersion?: string;
  };
  if (version === undefined) return undefined;
  const changelog = git('show', `${commit}:libs/contracts/CHANGELOG.md`);
  return { version, newestEntry: /^## (\S+)/m.exec(changelog)?.[1] };
}

const COMMANDS = { affected, test, contracts };

const [command = '', parameter = ''] = process.argv.slice(2);
const run = Object.hasOwn(COMMANDS, command) ? COMMANDS[command as keyof typeof COMMANDS] : undefined;
if (run === undefined) {
  console.error(`Choose one of ${Object.keys(COMMANDS).join(', ')}`);
  process.exitCode = 2;
} else process.exitCode = run(parameter);
