import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { affectedServices, SERVICES } from './affected-services.ts';
import { contractVersionProblem } from './contract-version.ts';
import { ownersOf, parseOwners } from './owners.ts';
import { selectedPackages } from './turbo.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const rules = parseOwners(read('.github/CODEOWNERS'));

interface Description {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

interface Step {
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

/** All packages by name. */
const packages = new Map(
  ['apps', 'libs', 'services', 'examples', 'deploy', 'tools', 'tests'].flatMap((group) =>
    readdirSync(join(ROOT, group))
      .map((name) => join(group, name, 'package.json'))
      .filter((path) => existsSync(join(ROOT, path)))
      .map((path) => JSON.parse(read(path)) as Description)
      .map((description) => [description.name, description] as const),
  ),
);

/** The package with all its direct and indirect dependencies of the repository. */
function closureOf(name: string, found = new Set<string>()): ReadonlySet<string> {
  const description = packages.get(name);
  if (description === undefined || found.has(name)) return found;
  found.add(name);
  for (const needed of Object.keys({ ...description.dependencies, ...description.devDependencies }))
    closureOf(needed, found);
  return found;
}

test('every service has an owner of its own, and every path has one', () => {
  const owners = SERVICES.map((service) => ownersOf(rules, `services/${service}/src/app.ts`).join(' '));
  expect(new Set(owners).size).toBe(SERVICES.length);
  expect(
    readdirSync(join(ROOT, 'services')).filter((name) => existsSync(join(ROOT, 'services', name, 'package.json'))),
  ).toEqual([...SERVICES].sort());
  expect(ownersOf(rules, 'turbo.json')).not.toEqual([]);
});

test('every rule of the owners names a place that exists, and somebody', () => {
  for (const { pattern, owners } of rules) {
    expect([pattern, owners.every((owner) => /^@[\w-]+\/[\w-]+$/.test(owner)) && owners.length > 0]).toEqual([
      pattern,
      true,
    ]);
    if (pattern !== '*') expect([pattern, existsSync(join(ROOT, pattern))]).toEqual([pattern, true]);
  }
});

test('every team that deploys agrees to changes of the contracts', () => {
  const owners = ownersOf(rules, 'libs/contracts/src/events.ts');
  for (const service of SERVICES)
    expect(owners).toEqual(expect.arrayContaining([...ownersOf(rules, `services/${service}/package.json`)]));
});

test.each(SERVICES)(
  'the pipeline of %s builds and tests the packages that it depends on, and no service but it',
  (service) => {
    const selected = selectedPackages(ROOT, `@lintel/${service}...`).map(({ name }) => name);
    expect(selected.sort()).toEqual([...closureOf(`@lintel/${service}`)].sort());
    expect(affectedServices(selected)).toEqual([service]);
  },
);

test('a change of a library concerns the services that depend on it', () => {
  const dependents = selectedPackages(ROOT, '...@lintel/passwords').map(({ name }) => name);
  const expected = SERVICES.filter((service) => closureOf(`@lintel/${service}`).has('@lintel/passwords'));
  expect(affectedServices(dependents)).toEqual(expected);
  expect(expected).toContain('auth');
  expect(affectedServices(['@lintel/boundaries'])).toEqual([]);
});

test('the workflows run the commands of this package, for all services', () => {
  const changed = parse(read('.github/workflows/changed.yml'));
  const service = parse(read('.github/workflows/service.yml'));
  const commands = JSON.stringify([changed.jobs, service.jobs]);
  for (const command of ['affected', 'contracts', 'test'])
    expect(commands).toContain(`tools/ownership/src/main.ts ${command}`);
  expect(commands).toMatch(/--filter=@lintel\/\$\{\{ inputs\.service \}\}\.\.\./);
  expect(changed.jobs.service.uses).toBe('./.github/workflows/service.yml');
  expect(service.on.workflow_dispatch.inputs.service.options).toEqual([...SERVICES]);
});

test.each(readdirSync(join(ROOT, '.github/workflows')))(
  '%s reads the repository, and stores no token in it',
  (file) => {
    const { permissions, jobs } = parse(read(`.github/workflows/${file}`));
    expect(permissions).toEqual({ contents: 'read' });
    const steps = Object.values<{ readonly steps?: readonly Step[] }>(jobs).flatMap((job) => job.steps ?? []);
    for (const step of steps.filter(({ uses = '' }) => uses.startsWith('actions/checkout')))
      expect(step.with).toMatchObject({ 'persist-credentials': false });
  },
);

describe('the version of the contracts', () => {
  const state = (version: string, newestEntry = version) => ({ version, newestEntry });
  const changed = ['libs/contracts/src/events.ts', 'services/data/src/app.ts'];

  test('has an entry in their changelog', () => {
    const { contractVersion } = JSON.parse(read('libs/contracts/package.json')) as { readonly contractVersion: string };
    expect(/^## (\S+)/m.exec(read('libs/contracts/CHANGELOG.md'))?.[1]).toBe(contractVersion);
    expect(contractVersionProblem([], undefined, state('1.1.0', '1.0.0'))).toContain('must be the same');
  });

  test('rises with a change of them', () => {
    expect(contractVersionProblem(changed, state('1.2.0'), state('1.2.0'))).toContain('libs/contracts/src/events.ts');
    expect(contractVersionProblem(changed, state('1.9.0'), state('1.10.0'))).toBeUndefined();
    expect(contractVersionProblem(changed, state('1.9.0'), state('1.8.0'))).toContain('above 1.9.0');
  });

  test('may stay where they have not changed, or only their tests have', () => {
    const others = ['libs/contracts/src/url-patterns.test.ts', 'services/data/src/app.ts'];
    expect(contractVersionProblem(others, state('1.2.0'), state('1.2.0'))).toBeUndefined();
  });
});
