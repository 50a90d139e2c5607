import { idSegment } from '@lintel/react';

/** The path of the form of an instance, below that of the console. */
export const instancePath = (entity: string, id: unknown): string =>
  `/data/${entity}/${encodeURIComponent(idSegment(id))}`;
