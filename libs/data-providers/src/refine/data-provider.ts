import type { AggregateOptions, UntypedApi } from '@lintel/client';
import type { RefineFilter } from './filter-of.ts';

type Id = string | number;
// biome-ignore lint/suspicious/noExplicitAny: pages know the attributes of their resources
type Any = any;

/** What a list of Refine asks for. */
export interface RefineListParams {
  readonly resource: string;
  readonly pagination?: {
    readonly currentPage?: number;
    /** Of Refine 4. */
    readonly current?: number;
    readonly pageSize?: number;
    readonly mode?: 'client' | 'server' | 'off';
  };
  readonly sorters?: readonly { readonly field: string; readonly order: 'asc' | 'desc' }[];
  // biome-ignore lint/suspicious/noExplicitAny: `RefineFilter[]`, in the types of Refine
  readonly filters?: readonly (RefineFilter | any)[];
  readonly meta?: Any;
}

/**
 * What `createDataProvider` returns: a `DataProvider` of Refine, in types of this package, so that it depends on no
 * version of it.
 */
export interface LintelRefineProvider {
  getList(params: RefineListParams): Promise<{ data: Any[]; total: number }>;
  getOne(params: { readonly resource: string; readonly id: Id; readonly meta?: Any }): Promise<{ data: Any }>;
  getMany(params: {
    readonly resource: string;
    readonly ids: readonly Id[];
    readonly meta?: Any;
  }): Promise<{ data: Any[] }>;
  /** Groups of records with aggregates: for `useQuery` with `useDataProvider`. */
  aggregate(params: { readonly resource: string } & AggregateOptions<UntypedApi, string>): Promise<{ data: Any[] }>;
  create(params: { readonly resource: string; readonly variables: Any; readonly meta?: Any }): Promise<{ data: Any }>;
  createMany(params: {
    readonly resource: string;
    readonly variables: readonly Any[];
    readonly meta?: Any;
  }): Promise<{ data: Any[] }>;
  update(params: {
    readonly resource: string;
    readonly id: Id;
    readonly variables: Any;
    readonly meta?: Any;
  }): Promise<{ data: Any }>;
  updateMany(params: {
    readonly resource: string;
    readonly ids: readonly Id[];
    readonly variables: Any;
    readonly meta?: Any;
  }): Promise<{ data: Any[] }>;
  deleteOne(params: { readonly resource: string; readonly id: Id; readonly meta?: Any }): Promise<{ data: Any }>;
  deleteMany(params: {
    readonly resource: string;
    readonly ids: readonly Id[];
    readonly meta?: Any;
  }): Promise<{ data: Any[] }>;
  getApiUrl(): string;
}
