import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Application, defineApplication } from '@lintel/application';
import type { EntityDefinition, EnumDefinition, Model } from '@lintel/metadata';
import { writeMigration } from '@lintel/migrate';
import { startApplication, type TestApplication } from '@lintel/test';
import { createTestDatabase, programVariables, type TestDatabase } from '@lintel/testkit';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const LINTEL = fileURLToPath(new URL('../../tools/lintel/src/main.ts', import.meta.url));

/** A database whose tables an application has taken over, and the application on an empty database. */
export interface TakenOver {
  readonly database: TestDatabase;
  readonly model: Model;
  /** Name of the first migration. */
  readonly migration: string;
  /** Runs `lintel` in the folder of the application. */
  lintel(...parameters: readonly string[]): Promise<{ readonly code: number; readonly output: string }>;
  /** Writes the source of the application; with the migrations or without them. */
  start(): Promise<TestApplication>;
  close(): Promise<void>;
}

const INDEX = `import { defineApplication } from '@lintel/application';
import { ENTITIES, ENUMS } from './entities/index.ts';
import { MIGRATIONS } from './migrations/index.ts';

export default defineApplication({
  id: 'taken',
  name: 'Taken over',
  entities: ENTITIES,
  enums: ENUMS,
  migrations: MIGRATIONS,
  demoData: {
    instances: [
      { entity: 'sec_User', values: { username: 'admin', password: 'admin', active: true } },
      { entity: 'sec_RoleAssignment', values: { username: 'admin', roleCode: 'system-full-access', roleType: 'resource' } },
    ],
  },
});
`;

/**
 * Does what the guide says: introspects the database with `--owned`, and generates the first migration.
 *
 * @param rows statements of a further migration, with rows of tables that no entity has
 */
export async function takeOver(
  name: string,
  statements: string,
  { more = [], rows = [] }: { readonly more?: readonly string[]; readonly rows?: readonly string[] } = {},
): Promise<TakenOver> {
  const database = await createTestDatabase(name);
  // Below this package, where what is written finds the others.
  const folder = mkdtempSync(join(HERE, 'written-'));
  const close = async (): Promise<void> => {
    rmSync(folder, { recursive: true });
    await database.drop();
  };
  const lintel: TakenOver['lintel'] = (...parameters) => runLintel(folder, parameters);
  const expectSuccess = async (...parameters: readonly string[]): Promise<void> => {
    const { code, output } = await lintel(...parameters);
    if (code !== 0) throw new Error(`lintel ${parameters.join(' ')} ended with ${code}: ${output}`);
  };
  try {
    await database.query(statements);
    mkdirSync(join(folder, 'src', 'migrations'), { recursive: true });
    const url = `--url=${database.url}`;
    const list = `import type { Migration } from '@lintel/application';\n\nexport const MIGRATIONS: readonly Migration[] = [];\n`;
    writeFileSync(join(folder, 'src', 'migrations', 'index.ts'), list);
    writeFileSync(join(folder, 'src', 'index.ts'), INDEX);
    const manifest = { name: 'taken', version: '0.1.0', private: true, type: 'module', exports: './src/index.ts' };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    await expectSuccess('introspect', url, `--prefix=${name}`, '--owned');
    await expectSuccess('migrate', 'generate', 'initial', url, `--application=${folder}`, ...more);
    const { ENTITIES, ENUMS } = (await import(join(folder, 'src', 'entities', 'index.ts'))) as WrittenModel;
    const application: Application = defineApplication({
      id: 'taken',
      name: 'Taken',
      entities: ENTITIES,
      enums: ENUMS,
    });
    const start = () => startApplication({ application: folder });
    if (rows.length > 0) {
      const step = { name: '9000000000000-rows', up: rows, down: ['-- the rows stay'] };
      await writeMigration(join(folder, 'src', 'migrations'), step);
    }
    const [migration = ''] = readdirSync(join(folder, 'src', 'migrations')).sort();
    return { database, model: application.model, migration: migration.replace(/\.ts$/, ''), lintel, start, close };
  } catch (error) {
    await close();
    throw error;
  }
}

interface WrittenModel {
  readonly ENTITIES: readonly EntityDefinition[];
  readonly ENUMS: readonly EnumDefinition[];
}

function runLintel(folder: string, parameters: readonly string[]): ReturnType<TakenOver['lintel']> {
  const child = spawn(process.execPath, ['--conditions=lintel-source', LINTEL, ...parameters], {
    cwd: folder,
    env: { ...programVariables(), HOME: process.env['HOME'] },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const read = (chunk: unknown): void => {
    output += String(chunk);
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  return new Promise((resolve) => child.once('close', (code) => resolve({ code: code ?? -1, output })));
}
