import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { glob, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A document that a package of a registry has. */
export interface ForeignDocument {
  /** Name of the package. */
  readonly from: string;
  /** Path within the package. */
  readonly path: string;
  readonly kind: 'xlsx' | 'docx';
  readonly bytes: Uint8Array;
}

/** Runs a program in a folder, which must succeed, and returns its output. */
export const run = async (cwd: string, program: string, ...parameters: readonly string[]): Promise<string> => {
  const env = { ...process.env, NODE_OPTIONS: '', GOFLAGS: '-modcacherw', CARGO_HOME: join(cwd, 'cargo') };
  return (await promisify(execFile)(program, parameters, { cwd, env, maxBuffer: 256 << 20 })).stdout;
};

type Locked = readonly [registry: string, name: string, version: string, sha256: string];

const MAVEN_COPY = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy';

/** Lets the client of a registry fetch the archive of a package into a folder. */
const FETCH: Readonly<Record<string, (folder: string, name: string, version: string) => Promise<unknown>>> = {
  pypi: (folder, name, version) =>
    run(folder, 'python3', '-m', 'pip', 'download', '-q', '--no-deps', '--no-binary=:all:', `${name}==${version}`),
  npm: (folder, name, version) => run(folder, 'npm', 'pack', '--silent', `${name}@${version}`),
  async cargo(folder, name, version) {
    await writeFile(
      join(folder, 'Cargo.toml'),
      `[package]\nname = "x"\n[lib]\npath = "x"\n[dependencies]\n${name} = "=${version}"\n`,
    );
    await run(folder, 'cargo', 'fetch', '-q');
  },
  async go(folder, name, version) {
    await writeFile(join(folder, 'go.mod'), 'module x\n');
    await run(folder, 'env', `GOMODCACHE=${join(folder, 'go')}`, 'go', 'mod', 'download', `${name}@${version}`);
  },
  maven: (folder, name, version) =>
    run(folder, 'mvn', '-q', MAVEN_COPY, `-Dartifact=${name}:${version}:test-jar:tests`, `-DoutputDirectory=${folder}`),
};

/** Fetches the packages of `packages.json` with their checksums; returns their documents, each once. */
export async function fetchDocuments(folder: string): Promise<readonly ForeignDocument[]> {
  const packages = JSON.parse(await readFile(new URL('packages.json', import.meta.url), 'utf8')) as readonly Locked[];
  const known = new Set<string>();
  const documents: ForeignDocument[] = [];
  for (const [registry, name, version, sha256] of packages) {
    const own = join(folder, name.replaceAll(/\W/g, '-'));
    await mkdir(join(own, 'unpacked'), { recursive: true });
    await FETCH[registry]?.(own, name, version);
    for await (const archive of glob('**/*.{tar.gz,tgz,crate,jar,zip}', { cwd: own })) {
      if (sha256Of(await readFile(join(own, archive))) !== sha256) continue;
      const isZip = /\.(?:jar|zip)$/.test(archive);
      if (isZip) await run(own, 'python3', '-m', 'zipfile', '-e', archive, 'unpacked');
      else await run(own, 'tar', 'xzf', archive, '-C', 'unpacked');
    }
    const unpacked = join(own, 'unpacked');
    const paths = (await Array.fromAsync(glob('**/*.{xlsx,xlsm,docx}', { cwd: unpacked }))).sort();
    if (paths.length === 0) throw new Error(`${name} ${version} is not in the registry with the checksum ${sha256}`);
    for (const path of paths) {
      const bytes = await readFile(join(unpacked, path));
      const sum = sha256Of(bytes);
      if (!known.has(sum)) documents.push({ from: name, path, kind: path.endsWith('docx') ? 'docx' : 'xlsx', bytes });
      known.add(sum);
    }
  }
  return documents;
}

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
