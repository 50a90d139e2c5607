import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { COMPILED } from './compile-servers.ts';

/** A server with its modules as in the image of its service. */
export interface BundledServer {
  readonly file: string;
  /** What the process imports first. */
  readonly register: string;
}

interface ImageTools {
  imageContents(service: string): readonly string[];
  collectRuntime(target: string, packages: readonly string[]): unknown;
  bundleModules(
    folder: string,
    service: string,
    more: { readonly programs: readonly string[]; readonly external: readonly string[] },
  ): Promise<void>;
}

/** Programs of this folder that are services of ours. */
const SERVICES: Readonly<Record<string, string>> = { 'data-service': 'data', gateway: 'gateway' };
const IMAGES = new URL('../../../deploy/images/', import.meta.url);

/**
 * Bundles the compiled servers of ours as the images do: a process keeps the text of each file that it loads, so its
 * memory is that of a deployed service.
 *
 * @param folder the bundles are below it, and replace former ones
 * @param programs those that are wanted; servers by hand are left out
 */
export async function bundleServers(
  folder: string,
  programs: ReadonlySet<string | undefined>,
): Promise<ReadonlyMap<string, BundledServer>> {
  const { collectRuntime, imageContents } = (await import(new URL('collect-runtime.mjs', IMAGES).href)) as ImageTools;
  const { bundleModules } = (await import(new URL('bundle-modules.mjs', IMAGES).href)) as ImageTools;
  const bundled = new Map<string, BundledServer>();
  for (const [program, service] of Object.entries(SERVICES)) {
    if (!programs.has(program)) continue;
    const target = join(folder, 'images', service);
    rmSync(target, { recursive: true, force: true });
    collectRuntime(target, imageContents(service));
    const servers = join('services', service, 'dist', 'bench');
    cpSync(COMPILED, join(target, servers), { recursive: true });
    // An application is not bundled: it finds its resources from where it is.
    const file = join(servers, `${program}.js`);
    await bundleModules(target, service, { programs: [file], external: ['@lintel/example-sales'] });
    const register = join(target, 'libs', 'telemetry', 'dist', 'register.js');
    bundled.set(program, { file: join(target, file), register });
  }
  return bundled;
}
