import { type Engine, engineOutput } from './container-engine.ts';

/** Properties of an image, as its engine prints them. */
export interface Inspected {
  readonly Size: number;
  readonly Config: {
    readonly User: string;
    readonly Labels: Readonly<Record<string, string>>;
    readonly Entrypoint: readonly string[];
    readonly Healthcheck?: { readonly Test: readonly string[] };
  };
}

/** Read in a container, where nothing but Node is: every file of /app with its hash, and what its user can write to. */
const PROBE = `
import { accessSync, constants, existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createHash } from 'node:crypto';
const files = {}; const writable = []; const shells = [];
const visit = (path) => {
  const found = lstatSync(path);
  if (!found.isSymbolicLink()) try { accessSync(path, constants.W_OK); writable.push(path); } catch {}
  if (/\\/(ba|da|a|z|k)?sh$|\\/busybox$/.test(path)) shells.push(path);
  if (path.startsWith('/app/')) {
    const text = found.isSymbolicLink() ? readlinkSync(path) : found.isFile() ? readFileSync(path) : '';
    files[path] = (found.mode & 0o777).toString(8) + ' ' + found.uid + ' ' + createHash('sha256').update(text).digest('hex');
  }
  if (!found.isDirectory()) return;
  let names = []; try { names = readdirSync(path); } catch {}
  for (const name of names) visit((path === '/' ? '' : path) + '/' + name);
};
for (const name of readdirSync('/')) if (!['proc', 'sys', 'dev'].includes(name)) visit('/' + name);
const { uid, gid } = (await import('node:os')).userInfo();
const bill = existsSync('/app/sbom.cdx.json') ? JSON.parse(readFileSync('/app/sbom.cdx.json', 'utf8')) : undefined;
console.log(JSON.stringify({ files, writable, shells, uid, gid, bill }));
`;

/** Findings of a process in a container of the image. */
export interface Probed {
  readonly files: Readonly<Record<string, string>>;
  readonly writable: readonly string[];
  readonly shells: readonly string[];
  readonly uid: number;
  readonly gid: number;
  /** The list of packages, if the image has one. */
  readonly bill?: { readonly bomFormat: string; readonly components: readonly { readonly purl: string }[] };
}

export const inspect = async (engine: Engine, image: string): Promise<Inspected> =>
  JSON.parse(await engineOutput(engine, 'image', 'inspect', image))[0];
export const probe = async (engine: Engine, image: string): Promise<Probed> =>
  JSON.parse(
    await engineOutput(
      engine,
      'run',
      '--rm',
      '--network=none',
      '--user=65532:65532',
      '--env=PATH=/nodejs/bin',
      '--entrypoint=node',
      image,
      '--input-type=module',
      '--eval',
      PROBE,
    ),
  );
