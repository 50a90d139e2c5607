import { type RemoteReader, type ReportDataSource, ReportFailure } from '@lintel/documents';
import type { DatasetClient, RunToken } from './dataset-client.ts';

/** Creates the data source of one run: with its own token, in its locale, until its signal aborts. */
export const createDataSource = (
  { datasets, remote }: { readonly datasets: DatasetClient; readonly remote: RemoteReader },
  run: { readonly token: RunToken; readonly locale: string; readonly signal: AbortSignal },
): ReportDataSource => ({
  load: (query) => datasets.read({ ...query, locale: run.locale }, run.token, run.signal),
  select: (query) => datasets.select({ ...query, locale: run.locale }, run.token, run.signal),
  async readDocument(url) {
    const bytes = await remote.read(url, run.signal);
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch (cause) {
      throw new ReportFailure('The document is no UTF-8 text', { cause });
    }
  },
});
