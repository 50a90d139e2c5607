import { buildImage, ENGINES, SERVICES } from './container-engine.ts';
import { inspect, type Probed, probe } from './probe-image.ts';

/** Maximum that the code of a service, its packages and their compiled code add to the base. */
const MAX_ADDED_MB = 130;

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
      expect(probed.bill?.bomFormat).toBe('CycloneDX');
      expect(probed.bill?.components.map(({ purl }) => purl)).toContainEqual(
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
