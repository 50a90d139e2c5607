import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Dotnet, installDotnet } from './dotnet.ts';
import { run } from './run.ts';
import { type Document, type GenerationSystem, startSystem } from './start-system.ts';

// Needs what generated-clients.long.test.ts needs.

const NSWAG = 'nswag@13.20.0';
const OAPI_CODEGEN = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';
const OAPI_RUNTIME = 'github.com/oapi-codegen/runtime@v1.9.0';
const KOTLIN_PROJECT = fileURLToPath(new URL('programs/kotlin.pom.xml', import.meta.url));
const KOTLIN_OPTIONS = '--additional-properties=serializationLibrary=jackson,library=jvm-okhttp4';
const DOCUMENTS: readonly Document[] = ['generic', 'detailed', 'reports'];
const TIMEOUT_MS = 600_000;

let system: GenerationSystem;
let dotnet: Dotnet;
beforeAll(async () => {
  system = await startSystem();
  dotnet = await installDotnet(join(system.folder, 'dotnet'), run);
}, TIMEOUT_MS);
afterAll(() => system?.stop());

test.each(DOCUMENTS)(
  'oapi-codegen compiles the %s document of 3.0 and 3.1',
  async (document) => {
    const folder = join(system.folder, `${document}-oapi`);
    await mkdir(folder);
    await writeFile(join(folder, 'go.mod'), 'module example.com/client\n\ngo 1.24\n');
    await run(folder, 'go', 'get', OAPI_RUNTIME);
    for (const version of ['3.0', '3.1'] as const) {
      const name = `of${version.replace('.', '')}`;
      await mkdir(join(folder, name));
      // Without pruning: it removes the schema of the webhook, and not its use.
      const options = {
        package: name,
        generate: { models: true, client: true },
        'output-options': { 'skip-prune': true },
      };
      await writeFile(join(folder, `${name}.json`), JSON.stringify(options));
      const source = system.documentOf(document, version);
      await run(folder, 'go', 'run', OAPI_CODEGEN, '-config', `${name}.json`, '-o', `${name}/client.go`, source);
    }
    await run(folder, 'go', 'mod', 'tidy');
    await run(folder, 'go', 'build', './...');
  },
  TIMEOUT_MS,
);

test.each(DOCUMENTS)(
  'the Kotlin client of the %s document compiles',
  async (document) => {
    const client = await system.generate(document, 'kotlin', KOTLIN_OPTIONS);
    await rm(join(client, 'src/test'), { recursive: true });
    await cp(KOTLIN_PROJECT, join(client, 'pom.xml'));
    await run(client, 'mvn', '-q', 'compile');
  },
  TIMEOUT_MS,
);

describe('NSwag', () => {
  let tool: string;
  beforeAll(async () => {
    const folder = join(system.folder, 'nswag');
    await mkdir(folder);
    const [archive = ''] = (await run(folder, 'npm', 'pack', '--silent', NSWAG)).trim().split('\n').slice(-1);
    await run(folder, 'tar', 'xzf', archive);
    tool = join(folder, 'package/bin/binaries/NetCore31/dotnet-nswag.dll');
  }, TIMEOUT_MS);

  test.each(DOCUMENTS)(
    'the client of the %s document of 3.0 compiles',
    async (document) => {
      const folder = join(system.folder, `${document}-nswag`);
      await mkdir(folder);
      const files = [`/input:${system.documentOf(document, '3.0')}`, '/output:client.cs'];
      const names = [
        '/namespace:Lintel',
        '/className:LintelClient',
        '/OperationGenerationMode:SingleClientFromOperationId',
      ];
      await dotnet.tool(folder, tool, 'openapi2csclient', ...files, ...names);
      await writeFile(join(folder, 'program.cs'), 'class Program { static void Main() {} }');
      await dotnet.compile(folder, [join(folder, 'client.cs'), join(folder, 'program.cs')]);
    },
    TIMEOUT_MS,
  );
});
