import { createHash } from 'node:crypto';
import { copyDatabase, type RunStatement, type TestDatabase, testDatabase, withConnection } from './test-database.ts';
import { testEnvironment } from './test-environment.ts';
import { uniqueName } from './unique-name.ts';

/** What databases of tests have in common. */
export interface DatabaseTemplate {
  /** Databases with the same key have the same content; for the schema of a model, the version of the model. */
  readonly key: string;
  /** What is there before `build`; nothing without it. */
  readonly base?: DatabaseTemplate;
  /** Makes the content, and closes its connections. */
  build(url: string): Promise<unknown>;
}

/** SQLSTATE of a database that does not exist. */
const UNDEFINED_DATABASE = '3D000';

/**
 * Makes a database with the content of a template. The template is built once per run of jest and server, by the
 * process that needs it first. Its name contains the id of the run: no run uses the template of another, whose code
 * may have been different.
 */
export async function cloneTestDatabase(
  template: DatabaseTemplate,
  prefix = 'test',
  serverUrl = testEnvironment('LINTEL_TEST_POSTGRES_URL'),
): Promise<TestDatabase> {
  const name = uniqueName(prefix);
  await withConnection(serverUrl, (run) => clone(run, serverUrl, name, template));
  return testDatabase(serverUrl, name);
}

async function clone(run: RunStatement, serverUrl: string, name: string, template: DatabaseTemplate): Promise<void> {
  const source = templateName(template.key);
  try {
    await copyDatabase(run, source, name);
  } catch (error) {
    if ((error as { code?: string }).code !== UNDEFINED_DATABASE) throw error;
    await buildOnce(run, serverUrl, source, template);
    await copyDatabase(run, source, name);
  }
}

/** Drops the templates of a run of jest. */
export async function dropTemplates(serverUrl: string, runId: string): Promise<void> {
  await withConnection(serverUrl, async (run) => {
    const databases = await run<{ name: string }>(
      'SELECT datname AS name FROM pg_database WHERE starts_with(datname, $1)',
      [templatePrefix(runId)],
    );
    for (const { name } of databases) await run(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
  });
}

const templatePrefix = (runId: string): string => `template_${runId}_`;

function templateName(key: string): string {
  const hash = createHash('sha256').update(key).digest('hex').slice(0, 24);
  return `${templatePrefix(testEnvironment('LINTEL_TEST_RUN'))}${hash}`;
}

/** The template gets its name when it is complete; nothing may be connected to it from then on. */
async function buildOnce(
  run: RunStatement,
  serverUrl: string,
  name: string,
  template: DatabaseTemplate,
): Promise<void> {
  const draft = testDatabase(serverUrl, `${name}_draft`);
  await run('SELECT pg_advisory_lock(hashtextextended($1, 0))', [name]);
  try {
    const existing = await run('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (existing.length > 0) return;
    // There where a process was killed while it built.
    await run(`DROP DATABASE IF EXISTS "${draft.name}" WITH (FORCE)`);
    if (template.base === undefined) await copyDatabase(run, 'template0', draft.name);
    else await clone(run, serverUrl, draft.name, template.base);
    await template.build(draft.url);
    await run(`ALTER DATABASE "${draft.name}" ALLOW_CONNECTIONS false`);
    // A connection that has been closed may exist for another moment.
    await run('SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = $1', [draft.name]);
    await run(`ALTER DATABASE "${draft.name}" RENAME TO "${name}"`);
  } finally {
    await run('SELECT pg_advisory_unlock(hashtextextended($1, 0))', [name]);
  }
}
