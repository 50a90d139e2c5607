import type { Operation } from './operation.ts';
import { READS } from './reads.ts';
import { WRITES } from './writes.ts';

/** All operations; reads come first, so that they see the data set before it is changed. */
export const OPERATIONS: readonly Operation[] = [...READS, ...WRITES];

export type { DrawnCall, HttpCall, Operation } from './operation.ts';
