/** What a document of Office can be turned into. */
export type OfficeSource = 'docx' | 'xlsx';
export type OfficeTarget = 'pdf' | 'html';

/** Programs outside of this process that turn documents into others. They may be missing; then only they fail. */
export interface DocumentConverters {
  /**
   * Prints a page. It runs no scripts and loads nothing but pictures that reports may read.
   *
   * @throws ReportFailure when it cannot be printed, PlatformError when there is no browser
   */
  printHtml(html: string, signal: AbortSignal): Promise<Uint8Array>;
  /**
   * Turns a document into another by LibreOffice.
   *
   * @throws ReportFailure when it cannot be converted, PlatformError when there is no LibreOffice
   */
  convertOffice(document: Uint8Array, from: OfficeSource, to: OfficeTarget, signal: AbortSignal): Promise<Uint8Array>;
  /** Ends the programs and removes their files. */
  close(): Promise<void>;
}
