import type { RunToken } from '../datasets/dataset-client.ts';

/** Reads files for reports. */
export interface FileReader {
  /**
   * The bytes of a file, for the user of the token.
   *
   * @throws ReportFailure where there is no such file or it is too large; FILE_STORAGE_UNAVAILABLE
   */
  read(fileRef: string, token: RunToken, signal: AbortSignal): Promise<Uint8Array>;
}
