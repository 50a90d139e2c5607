import { buildImage, ENGINES, type Engine, engineOutput, SERVICES } from './container-engine.ts';

/** Maximum that the code of a service, its packages and their compiled code add to the base. */
const MAX_ADDED_MB = 130;

interface Inspected {
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
const bill = existsSync('/app') ? JSON.parse(readFileSync('/app/sbom.cdx.json', 'utf8')) : undefined;
console.log(JSON.stringify({ files, writable, shells, uid, gid, bill }));
`;

interface Probed {
  readonly files: Readonly<Record<string, string>>;
  readonly writable: readonly string[];
  readonly shells: readonly string[];
  readonly uid: number;
  readonly gid: number;
  readonly bill: { readonly bomFormat: string; readonly components: readonly { readonly purl: string }[] };
}

const inspect = async (engine: Engine, image: string): Promise<Inspected> =>
  JSON.parse(await engineOutput(engine, 'image', 'inspect', image))[0];
const probe = async (engine: Engine, image: string): Promise<Probed> =>
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

/** Code that V8 compiled has no stable form: which of its functions are in it depends on what ran. */
const stable = ({ files }: Probed) => Object.entries(files).filter(([path]) => !path.startsWith('/app/compile-cache/'));
const probes = new Map<string, Probed>();

describe.each(ENGINES.map((engine) => [engine.name, engine] as const))('%s', (name, engine) => {
  const sizes: string[] = [];
  afterAll(() => process.stdout.write(`    ${name}: ${sizes.join(', ')}\n`));

  test.each(SERVICES)(
    'builds %s: small, for a user without rights, without a shell, and with its labels',
    async (service) => {
      const image = `lintel-${service}:local`;
      await buildImage(engine, service, image);
      const [{ Size, Config }, base] = [await inspect(engine, image), await inspect(engine, 'lintel-base:runtime')];
      const addedMb = (Size - base.Size) / 1e6;
      sizes.push(`${service} ${(Size / 1e6).toFixed(0)} MB (${addedMb.toFixed(0)} not shared)`);
      expect(addedMb).toBeLessThan(MAX_ADDED_MB);
      expect(Config.User).toBe('65532:65532');
      expect(Config.Entrypoint[0]).toBe('node');
      expect(Config.Labels).toMatchObject({
        'org.opencontainers.image.title': `lintel-${service}`,
        'org.opencontainers.image.licenses': 'Apache-2.0',
        'io.lintel.image.sbom': '/app/sbom.cdx.json',
      });
      const probed = await probe(engine, image);
      probes.set(`${name} ${service}`, probed);
      expect([probed.uid, probed.gid, probed.shells]).toEqual([65532, 65532, []]);
      // The base has folders for temporary files, of which a container with a read-only file system keeps /tmp.
      const { writable } = await probe(engine, 'lintel-base:runtime');
      expect(probed.writable.filter((path) => !writable.includes(path))).toEqual([]);
      expect(probed.bill.bomFormat).toBe('CycloneDX');
      expect(probed.bill.components.map(({ purl }) => purl)).toContainEqual(
        expect.stringMatching(`^pkg:npm/%40lintel/${service}@`),
      );
      expect(Object.keys(probed.files).filter((path) => path.startsWith('/app/compile-cache/')).length).toBeGreaterThan(
        0,
      );
    },
    1_800_000,
  );

  test('builds the same twice', async () => {
    await buildImage(engine, 'gateway', 'lintel-gateway:again', '--no-cache');
    const [first, again] = [probes.get(`${name} gateway`), await probe(engine, 'lintel-gateway:again')];
    if (first === undefined) throw new Error('The image was not built');
    expect(stable(again)).toEqual(stable(first));
  }, 1_800_000);
});

test('all engines build the same', () => {
  for (const service of SERVICES) {
    const [first, ...others] = ENGINES.map(({ name }) => probes.get(`${name} ${service}`));
    if (first === undefined) throw new Error(`${service} was not built`);
    for (const other of others) expect(other && stable(other)).toEqual(stable(first));
  }
});
