import { execFile } from 'node:child_process';
import { cp, glob, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type StartedProgram, startProgram } from '@lintel/testkit';
import { type Dotnet, installDotnet, type Run } from './dotnet.ts';

// Needs Java 17 with Maven, Go and Python 3 with venv, and Linux on x64; packages and the .NET SDK come from their registries.

const GENERATOR = 'org.openapitools:openapi-generator-cli:7.25.0';
const CLASS_PATH = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath';
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const STANDALONE = fileURLToPath(new URL('../../deploy/standalone/src/main.ts', import.meta.url));
const PROGRAMS = fileURLToPath(new URL('programs/', import.meta.url));
const COMPILER = createRequire(import.meta.url).resolve('typescript/bin/tsc');
/** A generation takes seconds; the first compilation in Java or Go also fetches packages. */
const TIMEOUT_MS = 600_000;

let folder: string;
let system: StartedProgram;
let dotnet: Dotnet;

const execute = promisify(execFile);

/** Runs a program, which must succeed, and returns what it prints. */
const run: Run = (cwd, program, ...parameters) =>
  execute(program, parameters, {
    cwd,
    env: { ...process.env, NODE_OPTIONS: '', GOFLAGS: '-mod=mod' },
    maxBuffer: 64 * 1024 * 1024,
  }).then(
    ({ stdout }) => stdout,
    (error: Error & { stdout?: string; stderr?: string }) => {
      const output = `${error.stdout ?? ''}${error.stderr ?? ''}`;
      throw new Error(`${program} ${parameters.join(' ')}: ${output === '' ? error.message : output}`);
    },
  );

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lintel-generated-clients-'));
  const variables = { LINTEL_HOME: join(folder, 'home') };
  const copy = run(folder, 'mvn', '-q', 'dependency:copy', `-Dartifact=${GENERATOR}`, `-DoutputDirectory=${folder}`);
  system = await startProgram(STANDALONE, [], { cwd: ROOT, variables });
  [dotnet] = await Promise.all([installDotnet(join(folder, 'dotnet'), run), system.ready(), copy]);
  for (const [name, path] of [
    ['detailed', '/docs/openapiDetailed.json'],
    ['generic', '/docs/openapi.json'],
  ] as const) {
    const { status, text } = await system.send('admin', 'GET', path);
    expect(status).toBe(200);
    await writeFile(join(folder, `${name}.json`), text);
  }
}, TIMEOUT_MS);
afterAll(async () => {
  await system?.stop();
  await rm(folder, { recursive: true, force: true });
}, 60_000);

/** Writes the client of a language, and returns its folder. */
async function generate(document: Document, generator: string, ...options: string[]): Promise<string> {
  const jar = join(folder, 'openapi-generator-cli-7.25.0.jar');
  const output = join(folder, `${document}-${generator}`, 'client');
  const input = join(folder, `${document}.json`);
  await run(folder, 'java', '-jar', jar, 'generate', '-g', generator, '-i', input, '-o', output, ...options);
  return output;
}

type Document = 'detailed' | 'generic';

interface Language {
  readonly name: string;
  /** Generates and compiles a client; the program of the journey with it. */
  prepare(document: Document): Promise<(number: string) => Promise<string>>;
}

const LANGUAGES: readonly Language[] = [
  {
    name: 'TypeScript',
    async prepare(document) {
      const client = await generate(document, 'typescript-fetch', '--additional-properties=importFileExtension=.js');
      const program = join(client, '..');
      await cp(join(PROGRAMS, document, 'main.ts'), join(program, 'main.ts'));
      const options = { target: 'es2022', lib: ['es2022', 'dom'], module: 'nodenext', types: [] };
      const compilerOptions = { ...options, strict: true, skipLibCheck: true, outDir: 'compiled' };
      await writeFile(join(program, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['**/*.ts'] }));
      await writeFile(join(program, 'package.json'), '{ "type": "module" }');
      await run(program, process.execPath, COMPILER, '-p', '.');
      return (number) => run(program, process.execPath, 'compiled/main.js', system.url, number);
    },
  },
  {
    name: 'Java',
    async prepare(document) {
      const client = await generate(document, 'java', '--library', 'native');
      await cp(join(PROGRAMS, document, 'Main.java'), join(client, 'src/main/java/Main.java'));
      await run(client, 'mvn', '-q', '-Dmaven.test.skip=true', 'compile', CLASS_PATH, '-Dmdep.outputFile=classpath');
      const classes = ['target/classes', await readFile(join(client, 'classpath'), 'utf8')].join(delimiter);
      return (number) => run(client, 'java', '-cp', classes, 'Main', system.url, number);
    },
  },
  {
    name: 'Go',
    async prepare(document) {
      const client = await generate(
        document,
        'go',
        '--git-host=example.com',
        '--git-user-id=x',
        '--git-repo-id=client',
      );
      await rm(join(client, 'test'), { recursive: true });
      await run(client, 'go', 'build', './...');
      const program = join(client, '..', 'program');
      await mkdir(program);
      await cp(join(PROGRAMS, document, 'main.go'), join(program, 'main.go'));
      await writeFile(
        join(program, 'go.mod'),
        'module example.com/program\n\ngo 1.23.0\n\nrequire example.com/x/client v0.0.0\n\nreplace example.com/x/client => ../client\n',
      );
      return (number) => run(program, 'go', 'run', '.', system.url, number);
    },
  },
  {
    name: 'Python',
    async prepare(document) {
      const client = await generate(document, 'python');
      await run(client, 'python3', '-m', 'venv', 'venv');
      const python = join(client, 'venv', 'bin', 'python');
      await run(client, python, '-m', 'pip', 'install', '-q', '.');
      await run(client, python, '-c', 'from openapi_client.api import *; from openapi_client.models import *');
      return (number) => run(client, python, join(PROGRAMS, document, 'main.py'), system.url, number);
    },
  },
  {
    name: 'C#',
    async prepare(document) {
      const options = ['--library', 'httpclient', '--additional-properties=targetFramework=netstandard2.1'];
      const client = await generate(document, 'csharp', ...options);
      const generated = await Array.fromAsync(glob(join(client, 'src/Org.OpenAPITools/**/*.cs')));
      await dotnet.compile(client, [...generated, join(PROGRAMS, 'Polly.cs'), join(PROGRAMS, document, 'Program.cs')]);
      return (number) => dotnet.execute(client, system.url, number);
    },
  },
];

const RESULTS = {
  found: 2,
  amount: 2.5,
  quantity: 2,
  notes: 'changed',
  stale: 412,
  file: 'hello',
  report: '"Customer","Grade","Orders","Total"',
};

test.each(LANGUAGES)(
  'the $name client of the detailed document compiles, and does what an application needs',
  async ({ name, prepare }) => {
    const journey = await prepare('detailed');
    expect(JSON.parse(await journey(`GEN-${name}`))).toEqual(RESULTS);
  },
  TIMEOUT_MS,
);

test.each(LANGUAGES)(
  'the $name client of the generic document compiles, and does what an application needs',
  async ({ name, prepare }) => {
    const journey = await prepare('generic');
    expect(JSON.parse(await journey(`GENERIC-${name}`))).toEqual(RESULTS);
  },
  TIMEOUT_MS,
);
