import { callOf } from '../connection/call.ts';
import type { Connection } from '../connection/create-connection.ts';
import { pathOf } from '../connection/paths.ts';
import type { PageOptions } from '../entities/entity-options.ts';
import { searchMembers } from '../entities/entity-reads.ts';
import { createDownload, type Download } from '../files/download.ts';
import type { Progress } from '../files/file-content.ts';
import { readChunks } from '../files/read-chunks.ts';
import type { FetchPlan } from '../filters/fetch-plans.ts';
import type { ApiTypes, EntityName } from '../model/api-types.ts';

/** The rows and columns of an export, and its form. */
export interface ExportOptions<A extends ApiTypes, E extends EntityName<A>>
  extends Omit<PageOptions<A, E, FetchPlan<A, E>>, 'count'> {
  /** `csv` by default. */
  readonly format?: 'csv' | 'ndjson' | 'xlsx' | undefined;
  /** `names` of attributes by default, or their captions in the language of the client. */
  readonly headers?: 'names' | 'captions' | undefined;
  /** `ids` by default, attributes of the plan without the id, or instance names. */
  readonly references?: 'ids' | 'keys' | 'names' | undefined;
  /** Collections of instances are JSON in their cell by default, or columns with a row for each member. */
  readonly children?: 'json' | 'rows' | undefined;
  /** `exact` by default, or in the form of the language. */
  readonly values?: 'exact' | 'locale' | undefined;
  /** Called with each chunk. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

const TYPES = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/**
 * Exports the instances that match, all of them without `limit`. The rows are read while they arrive.
 *
 * @example await writeFile('orders.csv', await exportFile(client, 'sales_Order', { sort: 'number' }))
 */
export async function exportFile<A extends ApiTypes, E extends EntityName<A>>(
  { connection }: { readonly connection: Connection },
  entity: E,
  options: ExportOptions<A, E> = {},
): Promise<Download> {
  const { format = 'csv', headers, references, children, values, onProgress, ...search } = options;
  const form = Object.entries({ headers, references, children, values }).filter(([, value]) => value !== undefined);
  const { response, release } = await connection.open({
    method: 'POST',
    path: pathOf(connection.paths.entities, entity, 'search'),
    headers: { accept: [TYPES[format], ...form.map((each) => each.join('='))].join(';') },
    json: searchMembers(entity, search),
    repeatable: true,
    ...callOf(options),
  });
  async function* chunks(): AsyncGenerator<Uint8Array> {
    let loaded = 0;
    try {
      for await (const chunk of readChunks(response)) {
        loaded += chunk.byteLength;
        onProgress?.({ loaded, total: undefined });
        yield chunk;
      }
    } finally {
      release();
    }
  }
  return createDownload(response, chunks());
}
