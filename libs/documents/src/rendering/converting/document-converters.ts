import type { ConversionProgram } from './conversion-program.ts';

/** Formats that are converted. */
export type OfficeSource = 'docx' | 'xlsx';
export type OfficeTarget = 'pdf' | 'html';

/** External programs that convert documents. Where one is missing, only its conversions fail. */
export interface DocumentConverters {
  /**
   * Prints a page to PDF. Scripts do not run, and only pictures that reports may read are loaded.
   *
   * @throws ReportFailure when it cannot be printed, PlatformError when there is no browser
   */
  printHtml(html: string, signal: AbortSignal): Promise<Uint8Array>;
  /**
   * Converts a document by LibreOffice.
   *
   * @throws ReportFailure when it cannot be converted, PlatformError when there is no LibreOffice
   */
  convertOffice(document: Uint8Array, from: OfficeSource, to: OfficeTarget, signal: AbortSignal): Promise<Uint8Array>;
  /** Returns the programs that are not installed, or not where their property says. */
  findMissing(): Promise<readonly ConversionProgram[]>;
  /** Returns the sentence that says which package of npm is missing for pages, undefined if none is. */
  findMissingPackage(): string | undefined;
  /** Ends the programs and removes their files. */
  close(): Promise<void>;
}
