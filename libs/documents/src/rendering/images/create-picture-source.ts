import type { RemoteReader } from '../../remote-documents/fetch-document.ts';
import { ReportFailure } from '../../report-failure.ts';
import type { PictureSource } from './picture-source.ts';

export interface PicturePorts {
  readonly remote: Pick<RemoteReader, 'read'>;
  /** Reads a file of the files service; absent where the caller may not download files. */
  readonly readFile: ((fileRef: string) => Promise<Uint8Array>) | undefined;
  readonly signal: AbortSignal;
  /** Size of all pictures of a document. */
  readonly maxTotalBytes: number;
}

/** Creates the source of the pictures of one run. */
export const createPictureSource = ({ remote, readFile, signal, maxTotalBytes }: PicturePorts): PictureSource => ({
  maxTotalBytes,
  async load({ kind, source }) {
    switch (kind) {
      case 'bitmap':
        return new Uint8Array(Buffer.from(source.replace(/^data:[^,]*,/, ''), 'base64'));
      case 'image':
        return remote.read(source, signal);
      case 'imageFileId':
        if (readFile === undefined)
          throw new ReportFailure('Pictures of files are only for users who may download files');
        return readFile(source);
      default:
        return kind satisfies never;
    }
  },
});
