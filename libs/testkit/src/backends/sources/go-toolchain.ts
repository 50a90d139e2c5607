import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { unzipSync } from 'fflate';
import { type Unavailable, unavailable } from '../backend.ts';
import { findProgram } from './find-program.ts';

const VERSION = '1.26.8';

/** SHA-256 of the toolchain archives, so that a proxy cannot slip in another one. */
const ARCHIVES: Readonly<Record<string, string>> = {
  'linux-amd64': '30c2b1bf7dcc88d3eb0a1364e47ddd9128edb3110a30e8a0ef61cd5856b31de7',
  'linux-arm64': '02b36b6787b3ac767668f630e2998df45a3b1f9ffee08d1bf3ef6487cd658d99',
};

const found = new Map<string, Promise<string | Unavailable>>();

/** The `go` program: installed, cached, or fetched as a module from the Go proxy; once for all who ask. */
export function findGo(cache: string, onProgress: (step: string) => void): Promise<string | Unavailable> {
  const known = found.get(cache) ?? lookForGo(cache, onProgress);
  found.set(cache, known);
  return known;
}

async function lookForGo(cache: string, onProgress: (step: string) => void): Promise<string | Unavailable> {
  const installed = findProgram('go') ?? (existsSync('/usr/local/go/bin/go') ? '/usr/local/go/bin/go' : undefined);
  if (installed !== undefined) return installed;
  const folder = join(cache, `go-${VERSION}`);
  const program = join(folder, 'bin', 'go');
  if (existsSync(program)) return program;
  const platform = `${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`;
  const checksum = ARCHIVES[platform];
  if (checksum === undefined) return unavailable(`Go is not installed, and none is known for ${platform}`);
  onProgress(`Fetching Go ${VERSION} (70 MB, once)`);
  const archive = await fetchArchive(platform);
  if ('unavailable' in archive) return archive;
  if (createHash('sha256').update(archive).digest('hex') !== checksum) {
    return unavailable(`the archive of Go ${VERSION} for ${platform} has a wrong checksum`);
  }
  unpack(archive, folder);
  return execFileSync(program, ['version'], { encoding: 'utf8' }).includes(VERSION)
    ? program
    : unavailable(`the fetched Go ${VERSION} does not run`);
}

async function fetchArchive(platform: string): Promise<Buffer | Unavailable> {
  const proxies = (process.env['GOPROXY'] || 'https://proxy.golang.org')
    .split(/[,|]/)
    .filter((entry) => entry.startsWith('http'));
  let reason = 'GOPROXY names no proxy';
  for (const proxy of proxies) {
    const url = `${proxy.replace(/\/$/, '')}/golang.org/toolchain/@v/v0.0.1-go${VERSION}.${platform}.zip`;
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(300_000) });
      if (response.ok) return Buffer.from(await response.arrayBuffer());
      reason = `the Go proxy returns ${response.status}`;
    } catch (error) {
      reason = `the Go proxy cannot be reached (${error instanceof Error ? error.message : String(error)})`;
    }
  }
  return unavailable(`Go is not installed, and ${reason}`);
}

/** Every name begins with `golang.org/toolchain@<version>/`. Moved into place when it is whole. */
function unpack(archive: Buffer, folder: string): void {
  mkdirSync(dirname(folder), { recursive: true });
  const work = mkdtempSync(`${folder}-`);
  try {
    for (const [name, content] of Object.entries(unzipSync(archive))) {
      if (name.endsWith('/')) continue;
      const file = resolve(work, name.split('/').slice(2).join('/'));
      if (!file.startsWith(work + sep)) throw new Error(`The archive of Go names a file outside its folder: ${name}`);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
      if (/\/(bin|pkg\/tool)\//.test(file)) chmodSync(file, 0o755);
    }
    renameSync(work, folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
