import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLocal, run, withFolder } from './run.mjs';

/** Services of Sigstore that a signature by a key uses: none, also no transparency log. */
const NO_SERVICES = { mediaType: 'application/vnd.dev.sigstore.signingconfig.v0.2+json' };

/**
 * Runs a command of cosign (version 3) that signs. Without a key, cosign requests a certificate for the identity that
 * runs it, and writes the signature to the transparency log of Sigstore.
 *
 * @param {string} command `sign`, `attest` or `attest-blob`
 * @param {readonly string[]} parameters the last one is signed
 * @param {string | undefined} key a file, or a name that cosign knows; `COSIGN_PASSWORD` opens a file
 */
export const cosign = (command, parameters, key) =>
  withFolder(async (folder) => {
    const services = join(folder, 'services.json');
    writeFileSync(services, JSON.stringify(NO_SERVICES));
    const byKey = key === undefined ? [] : ['--key', key, '--signing-config', services];
    const plain = isLocal(parameters.at(-1) ?? '') ? ['--allow-http-registry'] : [];
    await run('cosign', [command, '--yes', ...byKey, ...plain, ...parameters]);
  });
