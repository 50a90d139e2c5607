import { type ConditionGroup, exportFile } from '@lintel/client';
import type { ResolvedPath } from '@lintel/react';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLanguage, useModel } from '../../../../context.ts';
import { CheckField } from '../../../../controls/forms.tsx';
import { formatSize } from '../../../../downloads/format-size.ts';
import { parseCsv } from '../../../../downloads/parse-csv.ts';
import { saveBlob } from '../../../../downloads/save-blob.ts';
import { ErrorAlert } from '../../../../errors/pending.tsx';
import { DataTable } from '../../../../table/data-table.tsx';
import { planOf } from '../../paths/plan-of.ts';
import { isDynamic } from '../../paths/resolve-dynamic.ts';
import type { Row } from '../row.ts';

interface DownloadPanelProps {
  readonly entityName: string;
  readonly columns: readonly ResolvedPath[];
  readonly filter: ConditionGroup;
  /** Words of a search beside the filter. */
  readonly q?: string | undefined;
  readonly sort: string | undefined;
  /** Undefined: all that match the filter. */
  readonly rows: readonly Row[] | undefined;
  readonly total: number | undefined;
}

type Download =
  | { readonly state: 'running' | 'done'; readonly loaded: number }
  | { readonly state: 'cancelled' }
  | { readonly state: 'failed'; readonly error: unknown };

const FORMATS = ['csv', 'xlsx'] as const;
const PREVIEW_ROWS = 3;

/** The rows with their columns as a file that the server writes, with its first rows; it can be cancelled. */
export function DownloadPanel({ entityName, columns, filter, q, sort, rows, total }: DownloadPanelProps) {
  const { text, locale } = useLanguage();
  const { client } = useModel();
  const [isReadable, setReadable] = useState(true);
  const [download, setDownload] = useState<Download>();
  const leaving = useRef<AbortController>(undefined);
  useEffect(() => () => leaving.current?.abort(), []);
  const paths = columns.map(({ path }) => path);
  const chosen = rows && { conditions: [{ property: 'id', operator: 'in', value: rows.map(({ id }) => id) }] };
  const request = {
    ...{ ...(chosen === undefined ? { filter, q } : { filter: chosen }), sort, fetchPlan: planOf(paths) },
    ...(paths.some(isDynamic) && { dynamicAttributes: true }),
    ...(isReadable && ({ headers: 'captions', references: 'names', values: 'locale' } as const)),
  };
  const preview = useQuery({
    queryKey: ['export', entityName, request],
    queryFn: async ({ signal }) => {
      const file = await exportFile(client, entityName, { ...request, limit: PREVIEW_ROWS, signal });
      return parseCsv(await file.text(), PREVIEW_ROWS + 1);
    },
  });
  const start = async (format: (typeof FORMATS)[number]): Promise<void> => {
    const controller = new AbortController();
    leaving.current = controller;
    const { signal } = controller;
    let loaded = 0;
    setDownload({ state: 'running', loaded });
    try {
      const file = await exportFile(client, entityName, {
        ...{ ...request, format, signal },
        onProgress: (progress) => {
          loaded = progress.loaded;
          setDownload({ state: 'running', loaded });
        },
      });
      saveBlob((await file.blob()) as unknown as Blob, `${entityName}.${format}`);
      setDownload({ state: 'done', loaded });
    } catch (error) {
      setDownload(signal.aborted ? { state: 'cancelled' } : { state: 'failed', error });
    }
  };
  const [header = [], ...shown] = preview.data ?? [];
  return (
    <Stack gap="xs" role="region" aria-label={text('download.title')}>
      <CheckField label={text('download.readable')} checked={isReadable} onChange={setReadable} />
      {preview.error !== null && <ErrorAlert error={preview.error} />}
      {preview.data !== undefined && (
        <DataTable
          label={text('download.preview')}
          isBusy={preview.isFetching}
          rows={shown}
          columns={header.map((caption, at) => ({ caption, cell: (cells: readonly string[]) => cells[at] }))}
        />
      )}
      <Group gap="xs">
        {download?.state === 'running' ? (
          <Button onClick={() => leaving.current?.abort()}>{text('rows.cancel')}</Button>
        ) : (
          FORMATS.map((each) => {
            const format = each.toUpperCase();
            return (
              <Button key={each} onClick={() => void start(each)}>
                {total === undefined
                  ? text('download.all', { format })
                  : text('download.rows', { count: total, format })}
              </Button>
            );
          })
        )}
        {download !== undefined && download.state !== 'failed' && (
          <Text size="sm" role="status">
            {download.state === 'cancelled'
              ? text('download.cancelled')
              : text(`download.${download.state}`, { size: formatSize(download.loaded, locale) })}
          </Text>
        )}
        {download?.state === 'failed' && <ErrorAlert error={download.error} />}
      </Group>
    </Stack>
  );
}
