import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { renderValues } from '../../helm/test/chart.ts';
import { makeBase } from './make-base.ts';

const run = promisify(execFile);

/** Where the base and the overlays are. */
export const KUSTOMIZE_FOLDER = fileURLToPath(new URL('..', import.meta.url));

/** The files of the base, as the chart makes them now. */
export async function renderBase(helm: string): Promise<ReadonlyMap<string, string>> {
  return makeBase(await renderValues(helm, join(KUSTOMIZE_FOLDER, 'values.yaml'), ['--skip-tests']));
}

/**
 * The text that Kustomize makes of a folder.
 *
 * @throws Error with what Kustomize says
 */
export async function build(kustomize: string, folder: string): Promise<string> {
  return (await run(kustomize, ['build', folder], { maxBuffer: 16 * 1024 * 1024 })).stdout;
}
