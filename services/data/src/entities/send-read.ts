import type { ServerResponse } from 'node:http';
import { contextOf, type RoutedRequest } from '@lintel/http';
import type { ResultMemory } from '@lintel/persistence';
import {
  type DatabaseCost,
  measuredDatabase,
  type ReadDatabase,
  type ReadDependencies,
  type ReadResult,
} from '@lintel/reading';

/** Database and memory of the reads of a route. */
export interface ReadRunning extends Pick<ReadDependencies, 'database' | 'replicaReads'> {
  readonly resultMemory?: ResultMemory | undefined;
}

/** A read of one request. */
interface ReadRun {
  readonly request: RoutedRequest;
  readonly response: ServerResponse;
  /** The response reports the cost of the request. */
  readonly isTimed?: boolean;
  /** Reads from the database that is chosen for the request. */
  readonly read: (from: ReadDatabase) => Promise<ReadResult>;
  readonly send: (result: ReadResult, costOf: (() => DatabaseCost) | undefined) => Promise<void> | void;
}

/**
 * Runs a read, from a replica of the database if it may, and sends its result. The memory of its rows counts until the
 * response is closed.
 */
export async function sendRead(
  { database, replicaReads, resultMemory }: ReadRunning,
  { request, response, isTimed = false, read, send }: ReadRun,
): Promise<void> {
  const { principal, signal } = contextOf(request, response);
  const replicated = replicaReads?.begin(principal);
  const used = replicated ?? database;
  const measured = isTimed ? measuredDatabase(used) : undefined;
  try {
    const begin = () => read(measured?.database ?? used);
    const begun = replicated === undefined ? begin : () => replicated.run(begin, signal);
    await send(await (resultMemory === undefined ? begun() : resultMemory.holdFor(response, begun)), measured?.cost);
  } catch (error) {
    await replicated?.abandon();
    // The client disconnected: no response is sent, and its cancelled statement is not an error.
    if (!signal.aborted) throw error;
  }
}
