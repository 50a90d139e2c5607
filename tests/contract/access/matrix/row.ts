import type { HiddenData } from '../hidden-data.ts';

/** Status for: no token · no rest-minimal · nothing may be read · attributes and rows hidden · everything. */
export type Statuses = readonly [none: number, nobody: number, viewer: number, clerk: number, admin: number];

/** A request that every caller sends. */
export interface MatrixRow {
  /** As `registeredRoutes` returns it. */
  readonly route: string;
  readonly method: string;
  readonly target: (data: HiddenData) => string | Promise<string>;
  readonly body?: (data: HiddenData) => unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The request ends the session: it needs one that no other uses. */
  readonly endsSession?: boolean;
  readonly statuses: Statuses;
  /** The response names attributes to every caller, and no values. */
  readonly describesModel?: boolean;
  /** The response to the administrator has the hidden values, so that their absence elsewhere means something. */
  readonly showsHiddenValues?: boolean;
}

type Options = Partial<Omit<MatrixRow, 'route' | 'method' | 'target' | 'statuses'>>;
type Target = string | MatrixRow['target'];

/** A row; `route` is as `registeredRoutes` returns it. */
export const row = (
  route: string,
  method: string,
  target: Target,
  statuses: Statuses,
  options: Options = {},
): MatrixRow => ({
  route,
  method,
  target: typeof target === 'string' ? () => target : target,
  statuses,
  ...options,
});

/** The same for every caller. */
export const all = (status: number): Statuses => [status, status, status, status, status];
export const READ: Statuses = [401, 403, 403, 200, 200];
export const OPEN_TO_USERS: Statuses = [401, 403, 200, 200, 200];
export const MANAGER: Statuses = [401, 403, 403, 403, 200];
export const UNKNOWN_TO_MANAGER: Statuses = [401, 403, 403, 403, 404];
export const SHOWS_HIDDEN = { showsHiddenValues: true } as const;
