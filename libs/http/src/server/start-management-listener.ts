import { createManagementApp, type ManagementAppOptions } from '../health/create-management-app.ts';
import { listen, type RunningServer } from './listen.ts';

export interface ManagementOptions extends ManagementAppOptions {
  /** Its address: the settings `svc.<service>.management-…`. */
  readonly at: { readonly host: string; readonly port: number };
}

/**
 * Starts the management listener of a process. Close it after the others: while they finish their requests it
 * reports that the process is not ready.
 *
 * @throws the system's error (`EADDRINUSE`, `EACCES`) if the port is not available
 */
export const startManagementListener = ({ at, ...options }: ManagementOptions): Promise<RunningServer> =>
  listen(createManagementApp(options), { ...at, drainMs: 1_000 });
