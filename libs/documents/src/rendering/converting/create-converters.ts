import type { SettingsOf } from '@lintel/config';
import type { Logger } from '@lintel/telemetry';
import { createPagePrinter } from './chromium/page-printer.ts';
import { CHROMIUM, type ConversionProgram, LIBREOFFICE } from './conversion-program.ts';
import type { DocumentConverters } from './document-converters.ts';
import { createOfficeConverter } from './office/office-converter.ts';
import type { converterSettings } from './settings.ts';

export interface ConverterPorts {
  /** Reads a picture from another server, or refuses it. */
  readonly readRemote: (url: string, signal: AbortSignal) => Promise<Uint8Array>;
  readonly logger: Logger;
}

/** Creates the converters by LibreOffice and Chromium. The programs are located and started when a run needs them. */
export function createConverters(
  config: SettingsOf<typeof converterSettings>,
  { readRemote, logger }: ConverterPorts,
): DocumentConverters {
  const office = createOfficeConverter({
    path: config.officePath,
    workers: config.conversions,
    timeoutMs: config.officeTimeoutMs,
    attempts: config.officeRetries,
    memoryBytes: config.officeMemoryBytes,
    logger,
  });
  const printer = createPagePrinter({
    path: config.chromiumPath,
    pages: config.conversions,
    timeoutMs: config.chromiumTimeoutMs,
    sandbox: config.chromiumSandbox,
    readRemote,
    logger,
  });
  return {
    convertOffice: office.convertOffice,
    printHtml: printer.printHtml,
    async findMissing() {
      const [hasOffice, hasPrinter] = await Promise.all([office.isInstalled(), printer.isInstalled()]);
      const missing: ConversionProgram[] = [];
      if (!hasOffice) missing.push(LIBREOFFICE);
      if (!hasPrinter) missing.push(CHROMIUM);
      return missing;
    },
    findMissingPackage: printer.findMissingPackage,
    async close() {
      await Promise.all([office.close(), printer.close()]);
    },
  };
}
