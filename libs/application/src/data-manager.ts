/** Options of a load: filter in the client form (specification 2.2), a plan's name or an inline plan. */
export interface LoadOptions {
  readonly filter?: unknown;
  readonly fetchPlan?: unknown;
  readonly sort?: string;
  readonly limit?: number;
  readonly offset?: number;
}

/** Reads and writes instances in their JSON form. Decimals and 64-bit integers are exact texts. */
export interface DataManager {
  load(
    entity: string,
    id: unknown,
    options?: Pick<LoadOptions, 'fetchPlan'>,
  ): Promise<Record<string, unknown> | undefined>;
  loadList(entity: string, options?: LoadOptions): Promise<readonly Record<string, unknown>[]>;
  update(entity: string, id: unknown, values: Readonly<Record<string, unknown>>): Promise<void>;
}
