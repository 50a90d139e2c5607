import type { Rule } from '../../rule.ts';
import { groupOf } from '../../workspace/build-workspace.ts';
import { importsOf, isWithin, packageOf, type ResolvedImport, targetGroupOf } from '../../workspace/import-target.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { importRule } from '../import-rule.ts';

/** The packages that compose services. */
const COMPOSERS = ['deploy/standalone', 'bench'];

/** `exports` of every service: its settings as values, for launchers and for the generated reference. */
const SETTINGS = './settings';

export const servicesApart = importRule(
  {
    id: 'services-apart',
    statement:
      'A service never imports a service; only deploy/standalone and bench compose them, deploy and tools may read their settings',
    because: 'services meet over HTTP or events only',
  },
  (one, workspace) => {
    const { file, statement, target } = one;
    const imported = packageOf(one, workspace);
    if (imported?.group !== 'services' || imported.folder === file.packageFolder) return undefined;
    // Libs have a rule of their own.
    if (groupOf(file.path) === 'libs' || COMPOSERS.some((folder) => isWithin(file.path, folder))) return undefined;
    const isSettings = target.kind === 'package' && target.subpath === SETTINGS;
    const mayRead = isSettings && ['deploy', 'tools'].includes(groupOf(file.path));
    return mayRead ? undefined : `imports the service ${statement.specifier}`;
  },
);

/** What each layer may reach; a group that is not named may reach any. */
const REACH = new Map<string, readonly string[]>([
  ['apps', ['apps', 'libs']],
  ['libs', ['libs']],
  ['services', ['apps', 'libs', 'services']],
]);

/** For services too: nothing that ships depends on examples, deploy, tools or tests. */
export const libsBelowServices = importRule(
  {
    id: 'libs-below-services',
    statement: 'A lib or an app imports only libs; the source of a service imports only libs and apps',
    because: 'dependencies have one direction: what is used by all imports no user of it',
  },
  (one, workspace) => {
    const { file, statement } = one;
    const reach = REACH.get(groupOf(file.path));
    const group = targetGroupOf(one, workspace);
    if (reach === undefined || group === undefined || reach.includes(group)) return undefined;
    // Tests of a service may run the example application.
    return file.isTest && group === 'examples' ? undefined : `imports ${statement.specifier}, which is in ${group}`;
  },
);

/** A rule of the form "these never import those". Tests are free: they may build what the source must not know. */
const neverImports = (
  id: string,
  folders: readonly string[],
  forbidden: readonly string[],
  words: { readonly statement: string; readonly because: string },
): Rule =>
  importRule({ id, ...words }, ({ file, statement, target }) =>
    !file.isTest && folders.includes(file.packageFolder) && target.kind === 'package' && forbidden.includes(target.name)
      ? `imports ${statement.specifier}`
      : undefined,
  );

export const queryWithoutSecurity = neverImports('query-without-security', ['libs/query'], ['@lintel/security'], {
  statement: 'query never imports security',
  because: 'the compiler says what it needs in access.ts; security produces it',
});

export const metadataWithoutTypeorm = neverImports('metadata-without-typeorm', ['libs/metadata'], ['typeorm'], {
  statement: 'metadata never imports TypeORM',
  because: 'the model is the source; persistence builds entity schemas and migrations from it',
});

/** `application` brings the other three with it. */
export const transportsWithoutEntities = neverImports(
  'transports-without-entities',
  ['libs/http', 'libs/http-client', 'libs/events', 'libs/cache', 'libs/telemetry'],
  ['@lintel/metadata', '@lintel/query', '@lintel/security', '@lintel/application'],
  {
    statement: 'http, http-client, events, cache and telemetry never import metadata, query, security or application',
    because: 'they know transports, not entities',
  },
);

const TESTKIT = 'libs/testkit';
/** Development only as a whole: they may start what tests start. */
const BENCHMARKS = 'bench';

/** What is not a test knows no test. */
export const testkitOnlyInTests: Rule = {
  id: 'testkit-only-in-tests',
  statement: 'No source imports @lintel/testkit, a test or a file of a test folder',
  because: 'they are for development only and are not there in production',
  *check(workspace) {
    const tests = new Set(workspace.files.filter((file) => file.isTest).map((file) => file.path));
    for (const { file, statement, target } of importsOf(workspace)) {
      if (file.isTest || file.packageFolder === TESTKIT) continue;
      const isTestkit =
        file.packageFolder !== BENCHMARKS && target.kind === 'package' && target.workspacePackage?.folder === TESTKIT;
      if (isTestkit || (target.kind === 'file' && tests.has(target.path)))
        yield { file: file.path, line: statement.line, what: `imports ${statement.specifier}` };
    }
  },
};

export const packageExports = importRule(
  {
    id: 'package-exports',
    statement: 'A package is imported by its name and what its exports list, never by a path inside it',
    because: 'what is not exported may change without notice',
  },
  insideOf,
);

function insideOf({ file, statement, target }: ResolvedImport, workspace: Workspace): string | undefined {
  if (target.kind === 'file')
    return target.packageFolder === file.packageFolder
      ? undefined
      : `imports ${statement.specifier}, a path inside ${target.packageFolder || 'the root package'}`;
  if (target.kind !== 'package') return undefined;
  if (target.workspacePackage !== undefined)
    return target.workspacePackage.exports.has(target.subpath)
      ? undefined
      : `imports ${statement.specifier}, which the exports of ${target.name} do not list`;
  // A package with `exports` is guarded by Node itself.
  return target.subpath === '.' || target.subpath === './package.json' || workspace.declaresExports(target.name)
    ? undefined
    : `imports ${statement.specifier}, and ${target.name} says of no path that it is public`;
}

/** What application teams build with; `http` only for `fromExpress`. */
const PUBLIC = new Set(['libs/application', 'libs/metadata', 'libs/react', 'libs/security', 'libs/http']);
const PUBLIC_HTTP = new Set(['fromExpress']);

export const examplesUsePublicApi = importRule(
  {
    id: 'examples-use-public-api',
    statement:
      'Examples import no package of the platform but application, metadata, react, security, and http for fromExpress',
    because: 'an example proves that the public API is enough',
  },
  (one, workspace) => {
    const { file, statement } = one;
    const imported = groupOf(file.path) === 'examples' ? packageOf(one, workspace) : undefined;
    if (imported === undefined || imported.folder === file.packageFolder) return undefined;
    if (!PUBLIC.has(imported.folder)) return `imports ${statement.specifier}`;
    const isPublic = imported.folder !== 'libs/http' || statement.names.every((name) => PUBLIC_HTTP.has(name));
    return isPublic ? undefined : `imports ${statement.names.join(', ')} of ${imported.name}`;
  },
);
