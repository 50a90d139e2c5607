import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually, type StartedProgram, startProgram } from '@lintel/testkit';
import { run } from './run.ts';

const GENERATOR = 'openapi-generator-cli:7.25.0';
const PATIENCE = { timeoutMs: 60_000, intervalMs: 1_000 };
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const STANDALONE = fileURLToPath(new URL('../../deploy/standalone/src/main.ts', import.meta.url));
const PATHS = {
  detailed: '/docs/openapiDetailed.json',
  generic: '/docs/openapi.json',
  reports: '/reports/docs/openapi.json',
};

/** A name of an API document. */
export type Document = keyof typeof PATHS;

/** The sales demo, with its documents and openapi-generator in a folder. */
export interface GenerationSystem extends StartedProgram {
  readonly folder: string;
  /** Path of a document in 3.1, or in 3.0. */
  documentOf(document: Document, version?: '3.1' | '3.0'): string;
  /** Writes the client of a language by openapi-generator, and returns its folder. */
  generate(document: Document, generator: string, ...options: string[]): Promise<string>;
}

/** Starts the sales demo with settings, and reads its documents. `stop` also removes the folder. */
export async function startSystem(settings: Readonly<Record<string, string>> = {}): Promise<GenerationSystem> {
  const folder = await mkdtemp(join(tmpdir(), 'lintel-generated-clients-'));
  const artifact = `org.openapitools:${GENERATOR}`;
  const copy = run(folder, 'mvn', '-q', 'dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${folder}`);
  const system = await startProgram(STANDALONE, [], {
    cwd: ROOT,
    variables: { LINTEL_HOME: join(folder, 'home'), ...settings },
  });
  const documentOf = (document: Document, version = '3.1'): string => join(folder, `${document}-${version}.json`);
  const stop = async () => {
    const code = await system.stop();
    await rm(folder, { recursive: true, force: true });
    return code;
  };
  try {
    await Promise.all([system.ready(), copy]);
    for (const [name, path] of Object.entries(PATHS))
      for (const version of ['3.1', '3.0'] as const) {
        // A busy machine returns 503 for a large document at first.
        const text = await eventually(async () => {
          const response = await system.send('admin', 'GET', `${path}?openapi=${version}`);
          expect(response.status).toBe(200);
          return response.text;
        }, PATIENCE);
        await writeFile(documentOf(name as Document, version), text);
      }
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    ...system,
    folder,
    documentOf,
    async generate(document, generator, ...options) {
      const jar = join(folder, `${GENERATOR.replace(':', '-')}.jar`);
      const output = join(folder, `${document}-${generator}`, 'client');
      await run(
        folder,
        'java',
        '-jar',
        jar,
        'generate',
        '-g',
        generator,
        '-i',
        documentOf(document),
        '-o',
        output,
        ...options,
      );
      return output;
    },
    stop,
  };
}
