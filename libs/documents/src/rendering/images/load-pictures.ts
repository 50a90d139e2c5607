import { PlatformError } from '@lintel/errors';
import { ReportFailure } from '../../report-failure.ts';
import { describePicture, type Picture } from './describe-picture.ts';
import type { PictureRequest, PictureSource } from './picture-source.ts';

export interface LoadedPicture {
  /** Name of the part with the picture. */
  readonly mediaPart: string;
  readonly picture: Picture;
}

/** Pictures loaded at the same time. */
const CONCURRENT_LOADS = 4;

/**
 * Loads the pictures of a document, each source once.
 *
 * @param folder of the parts with the pictures: `word/media`
 * @throws ReportFailure naming the field whose picture cannot be used; REPORT_RUN_ERROR for too many bytes of pictures
 */
export async function loadPictures(
  requests: readonly PictureRequest[],
  source: PictureSource,
  folder: string,
): Promise<ReadonlyMap<PictureRequest, LoadedPicture>> {
  const bySource = Map.groupBy(requests, (request) => `${request.kind} ${request.source}`);
  const groups = [...bySource.values()];
  const loaded = new Map<PictureRequest, LoadedPicture>();
  let bytes = 0;
  for (let from = 0; from < groups.length; from += CONCURRENT_LOADS)
    await Promise.all(
      groups.slice(from, from + CONCURRENT_LOADS).map(async (group, offset) => {
        const [first] = group;
        if (first === undefined) return;
        const picture = await loadOne(first, source);
        bytes += picture.bytes.length;
        if (bytes > source.maxTotalBytes)
          throw new PlatformError(
            'REPORT_RUN_ERROR',
            `The pictures of a document are more than ${source.maxTotalBytes} bytes`,
          );
        const mediaPart = `${folder}/report${from + offset + 1}.${picture.extension}`;
        for (const request of group) loaded.set(request, { mediaPart, picture });
      }),
    );
  return loaded;
}

async function loadOne(request: PictureRequest, source: PictureSource): Promise<Picture> {
  const bytes = await source.load(request);
  try {
    return describePicture(bytes);
  } catch (cause) {
    throw new ReportFailure(`The picture of ${request.field} cannot be used: ${(cause as Error).message}`, { cause });
  }
}
