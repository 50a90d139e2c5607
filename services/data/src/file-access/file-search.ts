import { tableOf } from '@lintel/metadata';
import type { FileSearchDependencies, ReadDependencies } from '@lintel/reading';
import type { DataPorts } from '../ports.ts';

/** The search for what refers to a file; tables of the application can be in another database than the platform's. */
export const fileSearch = (
  { applicationDatabase }: Pick<DataPorts, 'applicationDatabase'>,
  read: ReadDependencies,
): FileSearchDependencies => ({
  ...read,
  groupOf: (entity) => (applicationDatabase === undefined ? '' : tableOf(entity).schema),
});
