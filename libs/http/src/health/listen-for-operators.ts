import { listen, type RunningServer } from '../server/listen.ts';
import { createManagementApp, type ManagementAppOptions } from './create-management-app.ts';

export interface ManagementOptions extends ManagementAppOptions {
  /** The settings `svc.<service>.management-…`. */
  readonly at: { readonly host: string; readonly port: number };
}

/**
 * Starts the management listener of a process. Close it after the others: while they finish their requests it goes
 * on to tell that the process is not ready.
 *
 * @throws the system's error (`EADDRINUSE`, `EACCES`) where the port cannot be had
 */
export const listenForOperators = ({ at, ...options }: ManagementOptions): Promise<RunningServer> =>
  listen(createManagementApp(options), { ...at, drainMs: 1_000 });
