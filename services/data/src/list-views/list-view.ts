import type { listViewBody } from '@lintel/contracts';
import type { z } from 'zod';

/** A view as it is saved; the content is JSON that only the client reads. */
export type ListViewInput = z.output<typeof listViewBody>;

/** A saved view of the list of an entity. */
export interface ListView extends ListViewInput {
  readonly id: string;
  readonly owner: string;
}
