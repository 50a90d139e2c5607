import { createPagePrinter } from './chromium/page-printer.ts';
import { CHROMIUM, type ConversionProgram, LIBREOFFICE } from './conversion-program.ts';
import type { DocumentConverters } from './document-converters.ts';
import { createOfficeConverter } from './office/office-converter.ts';
import type { ConverterPorts, ConverterSettings } from './settings.ts';

/** Creates the converters by LibreOffice and Chromium. The programs are located and started when a run needs them. */
export function createConverters(
  config: ConverterSettings,
  { readRemote, logger }: ConverterPorts,
): DocumentConverters {
  const office = createOfficeConverter({ ...config, logger });
  const printer = createPagePrinter({ ...config, readRemote, logger });
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
