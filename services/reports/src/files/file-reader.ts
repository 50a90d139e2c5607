import type { RunToken } from '../datasets/dataset-client.ts';

/** Reads files for reports. */
export interface FileReader {
  /**
   * Returns the bytes of a file, for the user of the token.
   *
   * @throws ReportFailure where the file does not exist or is too large; FILE_STORAGE_UNAVAILABLE
   */
  read(fileRef: string, token: RunToken, signal: AbortSignal): Promise<Uint8Array>;
  /** The same, piece by piece; the errors occur when it is iterated. */
  stream(fileRef: string, token: RunToken, signal: AbortSignal): AsyncIterable<Uint8Array>;
}
