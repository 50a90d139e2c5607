import { cp, glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Dotnet, installDotnet } from './dotnet.ts';
import { run } from './run.ts';
import { type Document, type GenerationSystem, startSystem } from './start-system.ts';

// Needs Java 17 with Maven, Go and Python 3 with venv, and Linux on x64; packages and the .NET SDK come from their registries.

const CLASS_PATH = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath';
const PROGRAMS = fileURLToPath(new URL('programs/', import.meta.url));
const COMPILER = createRequire(import.meta.url).resolve('typescript/bin/tsc');
/** A generation takes seconds; the first compilation in Java or Go also fetches packages. */
const TIMEOUT_MS = 600_000;

let system: GenerationSystem;
let dotnet: Dotnet;

beforeAll(async () => {
  system = await startSystem();
  dotnet = await installDotnet(join(system.folder, 'dotnet'), run);
}, TIMEOUT_MS);
afterAll(() => system?.stop());

interface Language {
  readonly name: string;
  /** Generates and compiles a client; the program of the journey with it. */
  prepare(document: Document): Promise<(number: string) => Promise<string>>;
}

const LANGUAGES: readonly Language[] = [
  {
    name: 'TypeScript',
    async prepare(document) {
      const client = await system.generate(
        document,
        'typescript-fetch',
        '--additional-properties=importFileExtension=.js',
      );
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
      const client = await system.generate(document, 'java', '--library', 'native');
      await cp(join(PROGRAMS, document, 'Main.java'), join(client, 'src/main/java/Main.java'));
      await run(client, 'mvn', '-q', '-Dmaven.test.skip=true', 'compile', CLASS_PATH, '-Dmdep.outputFile=classpath');
      const classes = ['target/classes', await readFile(join(client, 'classpath'), 'utf8')].join(delimiter);
      return (number) => run(client, 'java', '-cp', classes, 'Main', system.url, number);
    },
  },
  {
    name: 'Go',
    async prepare(document) {
      const client = await system.generate(
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
      const client = await system.generate(document, 'python');
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
      const client = await system.generate(document, 'csharp', ...options);
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
