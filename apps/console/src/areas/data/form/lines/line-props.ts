import type { Line } from '@lintel/react';
import type { FormAttribute } from '../attributes/form-attributes.ts';

/** A child of a composition in its collection. */
export interface LineProps {
  readonly entity: string;
  readonly line: Line;
  /** From 1, for captions. */
  readonly number: number;
  /** Of the line in the draft. */
  readonly path: string;
  /** The caption of the collection. */
  readonly label: string;
  readonly columns: readonly FormAttribute[];
  readonly isReadOnly: boolean;
  readonly mayRemove: boolean;
  readonly onOpen: (key: string) => void;
  /** Removes it, or restores it. */
  readonly onRemove: (path: string, line: Line) => void;
}
