import { idSegment } from '@lintel/react';

/** An instance as a list has it. */
export type Row = Readonly<Record<string, unknown>>;

/** What a row is known by; an entity without a key has none. */
export const keyOfRow = ({ id }: Row): string | undefined =>
  id === undefined || id === null ? undefined : idSegment(id);
