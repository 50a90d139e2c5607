import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ENGINES, engineOutput, SERVICES } from '../../deploy/images/test/container-engine.ts';
import { OTHER_KEY, openReleaseTarget, type ReleaseTarget } from './test/release-target.ts';

/*
 * The images of a release in a registry of this machine, signed by a key, without the transparency log.
 */

const MINUTES = 60_000;
const [engine] = ENGINES;
if (engine === undefined) throw new Error('There is no container engine');

let folder: string;
let target: ReleaseTarget;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-signed-'));
  mkdirSync(join(folder, 'bin'));
  symlinkSync(engine.command[0] ?? '', join(folder, 'bin', 'docker'));
  target = await openReleaseTarget({
    ...engine.env,
    BUILD_IMAGE: 'lintel-base:build',
    RUNTIME_IMAGE: 'lintel-base:runtime',
    PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
  });
}, 20 * MINUTES);
afterAll(async () => {
  await target?.close();
  rmSync(folder, { recursive: true });
});

/** The signed statement about an image, of which cosign checks the signature. */
async function attestedBill(image: string) {
  const printed = await target.verify(['verify-attestation', '--type', 'cyclonedx'], image);
  const { payload } = JSON.parse(printed.trim().split('\n').at(-1) ?? '') as { readonly payload: string };
  return JSON.parse(Buffer.from(payload, 'base64').toString()) as {
    readonly subject: readonly { readonly digest: { readonly sha256: string } }[];
    readonly predicate: { readonly components: readonly { readonly purl: string }[] };
  };
}

test(
  'the images are pushed, signed, and attested with the packages that are in them',
  async () => {
    const images = await target.release('--images', `${target.address}/lintel`, '--reports-runtime', 'plain');
    expect(images).toEqual(
      SERVICES.map((name) => expect.stringMatching(`^${target.address}/lintel-${name}@sha256:[0-9a-f]{64}$`)),
    );
    for (const [index, image] of images.entries()) {
      const sha256 = image.split('sha256:')[1];
      // The signed list of packages is a second one.
      const signatures = JSON.parse(await target.verify(['verify'], image)) as readonly object[];
      expect(signatures).toContainEqual(
        expect.objectContaining({
          critical: expect.objectContaining({
            type: 'https://sigstore.dev/cosign/sign/v1',
            image: { 'docker-manifest-digest': `sha256:${sha256}` },
          }),
        }),
      );
      const { subject, predicate } = await attestedBill(image);
      expect(subject.map(({ digest }) => digest)).toEqual([{ sha256 }]);
      const service = `pkg:npm/%40lintel/${SERVICES[index]}@`;
      expect(predicate.components.map(({ purl }) => purl)).toContainEqual(expect.stringContaining(service));
      await expect(target.verify(['verify'], image, OTHER_KEY)).rejects.toThrow('signature');
    }
    const unsigned = `${target.address}/lintel-gateway:unsigned`;
    await engineOutput(engine, 'tag', 'lintel-base:runtime', unsigned);
    await engineOutput(engine, 'push', unsigned);
    await expect(target.verify(['verify'], unsigned)).rejects.toThrow('signature');
  },
  40 * MINUTES,
);
