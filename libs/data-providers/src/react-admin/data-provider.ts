import type { AggregateOptions, UntypedApi } from '@lintel/client';
import type { ProviderRecord } from '../records/records.ts';

type Id = string | number;
// biome-ignore lint/suspicious/noExplicitAny: pages know the attributes of their resources
type Any = any;

/** What a request ends with. */
export interface Signalled {
  readonly signal?: AbortSignal | undefined;
}

/** Which records a list has. */
export interface ListParams extends Signalled {
  readonly pagination?: { readonly page: number; readonly perPage: number } | undefined;
  readonly sort?: { readonly field: string; readonly order: 'ASC' | 'DESC' } | undefined;
  readonly filter?: Any;
  readonly meta?: Any;
}

/** A part of a list. */
export interface ListResult {
  data: Any[];
  total?: number;
  pageInfo?: { hasNextPage?: boolean; hasPreviousPage?: boolean };
}

/**
 * What `createDataProvider` returns: a `DataProvider` of react-admin, in types of this package, so that it depends on no
 * version of it.
 */
export interface LintelDataProvider {
  readonly supportAbortSignal: boolean;
  getList(resource: string, params: ListParams): Promise<ListResult>;
  getOne(resource: string, params: Signalled & { readonly id: Id; readonly meta?: Any }): Promise<{ data: Any }>;
  getMany(
    resource: string,
    params: Signalled & { readonly ids: readonly Id[]; readonly meta?: Any },
  ): Promise<{ data: Any[] }>;
  getManyReference(
    resource: string,
    params: ListParams & { readonly target: string; readonly id: Id },
  ): Promise<ListResult>;
  /** Groups of records with aggregates: for `useQuery` with `useDataProvider`. */
  aggregate(resource: string, options: AggregateOptions<UntypedApi, string>): Promise<{ data: Any[] }>;
  create(resource: string, params: { readonly data: Any; readonly meta?: Any }): Promise<{ data: Any }>;
  update(
    resource: string,
    params: { readonly id: Id; readonly data: Any; readonly previousData?: Any; readonly meta?: Any },
  ): Promise<{ data: Any }>;
  updateMany(
    resource: string,
    params: { readonly ids: readonly Id[]; readonly data: Any; readonly meta?: Any },
  ): Promise<{ data?: Any[] }>;
  delete(
    resource: string,
    params: { readonly id: Id; readonly previousData?: ProviderRecord | Any; readonly meta?: Any },
  ): Promise<{ data: Any }>;
  deleteMany(resource: string, params: { readonly ids: readonly Id[]; readonly meta?: Any }): Promise<{ data?: Any[] }>;
}
