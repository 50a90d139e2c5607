import type { CallOptions } from '../connection/call.ts';
import type { Connection } from '../connection/create-connection.ts';
import { filesPath, withQuery } from '../connection/paths.ts';
import type { Download } from './download.ts';
import { type DownloadOptions, downloadFile } from './download-file.ts';
import type { FileContent } from './file-content.ts';
import { type StoredFile, type UploadOptions, uploadFile } from './upload-file.ts';
import { cancelUpload } from './upload-resumably.ts';

/** Stores and reads files. */
export interface FileClient {
  /** Stores a file: completely, or not at all. Returns the reference for a file attribute. */
  upload(content: FileContent, options?: UploadOptions): Promise<StoredFile>;
  /** Removes what is stored of a resumable upload that shall not be continued. */
  cancelUpload(uploadUrl: string, options?: CallOptions): Promise<void>;
  /** Reads a file. After an interruption it continues where it stopped, if the file is still the same. */
  download(fileRef: string, options?: DownloadOptions): Promise<Download>;
  /** The address of a file, for a request that has the token in its header. */
  url(fileRef: string, options?: { readonly attachment?: boolean }): string;
}

/** The methods for files of a connection. */
export function createFileClient(connection: Connection): FileClient {
  return {
    upload: (content, options) => uploadFile(connection, content, options),
    cancelUpload: (uploadUrl, options) => cancelUpload(connection, uploadUrl, options),
    download: (fileRef, options) => downloadFile(connection, fileRef, options),
    url: (fileRef, { attachment } = {}) =>
      connection.baseUrl + withQuery(filesPath(connection.paths), { fileRef, attachment }),
  };
}
