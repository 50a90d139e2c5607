import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PlatformError } from '@lintel/errors';
import type { Logger } from '@lintel/telemetry';
import { Semaphore } from '@lintel/timing';
import { ReportFailure } from '../../../report-failure.ts';
import { LIBREOFFICE, missingProgram } from '../conversion-program.ts';
import type { DocumentConverters } from '../document-converters.ts';
import { findProgram, type InstalledProgram } from '../find-program.ts';
import type { ConverterSettings } from '../settings.ts';
import { writeOfficeProfile } from './office-profile.ts';
import { type OfficeCall, OfficeTimeoutError, runOffice } from './run-office.ts';

/** The times count one attempt, and the wait for a free worker. */
export interface OfficeOptions
  extends Pick<
    ConverterSettings,
    'officePath' | 'conversions' | 'officeTimeoutMs' | 'officeRetries' | 'officeMemoryBytes'
  > {
  readonly logger: Logger;
}

/** Conversions after which a worker gets a new profile, since LibreOffice accumulates data in it. */
const CONVERSIONS_PER_PROFILE = 50;

/** A worker with its profile folder, which is absent until it is needed and after a failed conversion. */
interface Worker {
  profile: Promise<string> | undefined;
  conversions: number;
}

/**
 * Creates the converter by LibreOffice: one process per conversion, with a profile that no other process uses at the
 * same time (contract/report-templates.md#conversion).
 */
export function createOfficeConverter(
  options: OfficeOptions,
): Pick<DocumentConverters, 'convertOffice' | 'close'> & InstalledProgram {
  const { officeTimeoutMs: timeoutMs, officeMemoryBytes: memoryBytes, conversions, logger } = options;
  const permits = new Semaphore(conversions);
  const workers = Array.from({ length: conversions }, (): Worker => ({ profile: undefined, conversions: 0 }));
  const ending = new AbortController();
  let folders = 0;

  async function convert(worker: Worker, call: Conversion): Promise<Uint8Array> {
    worker.profile ??= newProfile();
    const profile = await worker.profile;
    folders += 1;
    const folder = `${profile}-${folders}`;
    const converted = await runOffice({ ...call, profile, folder, timeoutMs, memoryBytes });
    worker.conversions += 1;
    if (worker.conversions >= CONVERSIONS_PER_PROFILE) await recycle(worker);
    return converted;
  }

  return {
    async convertOffice(document, from, to, runSignal) {
      const program = await findOffice(options);
      if (program === undefined) throw missingProgram(LIBREOFFICE);
      const signal = AbortSignal.any([runSignal, ending.signal]);
      const attempt = async (workerNumber: number): Promise<Uint8Array> => {
        const worker = workers[workerNumber] as Worker;
        for (let number = 1; ; number++) {
          try {
            return await convert(worker, { program, document, from, to, signal });
          } catch (error) {
            // The failure may have damaged the profile.
            await recycle(worker);
            signal.throwIfAborted();
            logger.warn({ err: error, attempt: number }, 'LibreOffice did not convert a document');
            if (number >= options.officeRetries) throw toFailure(error);
          }
        }
      };
      return permits.run(attempt, { signal, timeoutMs, onTimeout: noFreeWorker });
    },
    isInstalled: async () => (await findOffice(options)) !== undefined,
    async close() {
      ending.abort(new Error('The converter is closed'));
      await Promise.all(workers.map(recycle));
    },
  };
}

type Conversion = Pick<OfficeCall, 'program' | 'document' | 'from' | 'to' | 'signal'>;

async function newProfile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lintel-office-'));
  await writeOfficeProfile(folder);
  return folder;
}

async function recycle(worker: Worker): Promise<void> {
  const { profile } = worker;
  worker.profile = undefined;
  worker.conversions = 0;
  if (profile !== undefined) await rm(await profile, { recursive: true, force: true });
}

const findOffice = ({ officePath }: OfficeOptions): Promise<string | undefined> =>
  findProgram({
    configured: officePath,
    names: ['soffice', 'libreoffice', 'soffice.bin'],
    subfolders: ['program', 'bin', '.'],
    defaultFolders: ['/usr/bin', '/usr/local/bin', '/usr/lib/libreoffice/program', '/opt/libreoffice/program'],
  });

const noFreeWorker = (): PlatformError =>
  new PlatformError('REPORT_RUN_FAILED', "Couldn't connect to LibreOffice instance. No free ports available.");

/** The output of LibreOffice is only logged. */
const toFailure = (error: unknown): ReportFailure =>
  new ReportFailure(
    error instanceof OfficeTimeoutError ? error.message : 'The document cannot be converted by LibreOffice',
    { cause: error },
  );
