import { spawn } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { OfficeSource, OfficeTarget } from '../document-converters.ts';

export interface OfficeCall {
  readonly program: string;
  /** Profile folder of this worker only. */
  readonly profile: string;
  /** For the files of this conversion; removed afterwards. */
  readonly folder: string;
  readonly document: Uint8Array;
  readonly from: OfficeSource;
  readonly to: OfficeTarget;
  readonly timeoutMs: number;
  readonly memoryBytes: number;
  readonly signal: AbortSignal;
}

/** LibreOffice took too long and was killed. */
export class OfficeTimeoutError extends Error {
  constructor(timeoutMs: number) {
    super(`The conversion of the document did not finish within ${Math.round(timeoutMs / 1000)} seconds`);
    this.name = 'OfficeTimeoutError';
  }
}

/** Names of filters; pictures are embedded into HTML. */
const FILTERS: Readonly<Record<OfficeSource, Readonly<Record<OfficeTarget, string>>>> = {
  docx: { pdf: 'pdf:writer_pdf_Export', html: 'html:HTML (StarWriter):EmbedImages' },
  xlsx: { pdf: 'pdf:calc_pdf_Export', html: 'html:HTML (StarCalc):EmbedImages' },
};

/** Converts a document by one process, which has ended when this returns, with all its child processes. */
export async function runOffice(call: OfficeCall): Promise<Uint8Array> {
  const { folder, from, to } = call;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    const source = join(folder, `document.${from}`);
    await writeFile(source, call.document);
    const output = await spawnOffice(call, source);
    try {
      return new Uint8Array(await readFile(join(folder, 'result', `document.${to}`)));
    } catch (cause) {
      throw new Error(`LibreOffice made no document: ${output.slice(0, 2_000)}`, { cause });
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function spawnOffice(call: OfficeCall, source: string): Promise<string> {
  const { program, profile, folder, timeoutMs, memoryBytes, signal } = call;
  const parameters = [
    `-env:UserInstallation=${pathToFileURL(profile).href}`,
    ...['--headless', '--nologo', '--norestore', '--nolockcheck', '--nodefault', '--nofirststartwizard'],
    ...['--convert-to', FILTERS[call.from][call.to], '--outdir', join(folder, 'result'), source],
  ];
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    // The shell sets the memory limit and is replaced by the program.
    const limited = ['-c', `ulimit -v ${Math.floor(memoryBytes / 1024)} && exec "$0" "$@"`, program, ...parameters];
    const child = spawn('/bin/sh', limited, {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      // Without the environment of this process: no secrets, no displays, and a proxy that does not exist.
      env: {
        PATH: '/usr/local/bin:/usr/bin:/bin',
        HOME: folder,
        TMPDIR: folder,
        LANG: 'C.UTF-8',
        http_proxy: 'http://127.0.0.1:9',
        https_proxy: 'http://127.0.0.1:9',
      },
      // A process group of its own, so that its child processes are killed with it.
      detached: true,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        if (output.length < 10_000) output += String(chunk);
      });
    let stopped: Error | undefined;
    const kill = (reason: Error): void => {
      stopped ??= reason;
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // The process has ended already.
      }
    };
    const abort = (): void => kill(signal.reason as Error);
    const timer = setTimeout(() => kill(new OfficeTimeoutError(timeoutMs)), timeoutMs);
    signal.addEventListener('abort', abort, { once: true });
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    };
    child.once('error', (error) => {
      end();
      reject(error);
    });
    child.once('close', (code) => {
      end();
      if (stopped !== undefined) reject(stopped);
      else if (code === 0) resolve(output);
      else reject(new Error(`LibreOffice ended with ${code ?? 'a signal'}: ${output.slice(0, 2_000)}`));
    });
  });
}
