import type { ConditionGroup } from '@lintel/client';
import type { ResolvedPath } from '@lintel/react';
import { Button, Group, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { saveBlob } from '../../../../downloads/save-blob.ts';
import { ErrorAlert } from '../../../../errors/error-alert.tsx';
import { useText } from '../../../../language/text-provider.tsx';
import { useModel } from '../../../../model/model-provider.tsx';
import { planOf } from '../../paths/plan-of.ts';
import { isDynamic } from '../../paths/resolve-dynamic.ts';
import type { Row } from '../row.ts';
import { csvOfRows } from './csv-of-rows.ts';
import { readSelected } from './read-selected.ts';

interface DownloadPanelProps {
  readonly entityName: string;
  readonly columns: readonly ResolvedPath[];
  readonly filter: ConditionGroup;
  readonly sort: string | undefined;
  /** Undefined: all that match the filter. */
  readonly rows: readonly Row[] | undefined;
  readonly total: number | undefined;
}

type Download =
  | { readonly state: 'running' | 'done' | 'cancelled'; readonly count: number }
  | { readonly state: 'failed'; readonly error: unknown };

/** The rows with their columns as a CSV file; it is read page by page, and can be cancelled. */
export function DownloadPanel({ entityName, columns, filter, sort, rows, total }: DownloadPanelProps) {
  const text = useText();
  const { client, enums } = useModel();
  const [download, setDownload] = useState<Download>();
  const leaving = useRef<AbortController>(undefined);
  useEffect(() => () => leaving.current?.abort(), []);
  const start = async (): Promise<void> => {
    const controller = new AbortController();
    leaving.current = controller;
    const { signal } = controller;
    let count = 0;
    setDownload({ state: 'running', count });
    const paths = columns.map(({ path }) => path);
    const shown = { fetchPlan: planOf(paths), ...(paths.some(isDynamic) && { dynamicAttributes: true }) };
    try {
      const found =
        rows === undefined
          ? (client.all(entityName, { filter, sort, ...shown, signal }) as AsyncIterable<Row>)
          : readSelected(client, entityName, rows, { ...shown, signal });
      const file = await csvOfRows(found, {
        columns,
        text,
        enums,
        signal,
        onProgress: (next) => {
          count = next;
          setDownload({ state: 'running', count });
        },
      });
      if (file !== undefined) saveBlob(file, `${entityName}.csv`);
      setDownload({ state: file === undefined ? 'cancelled' : 'done', count });
    } catch (error) {
      setDownload(signal.aborted ? { state: 'cancelled', count } : { state: 'failed', error });
    }
  };
  return (
    <Group gap="xs" role="region" aria-label={text('download.title')}>
      {download?.state === 'running' ? (
        <Button variant="default" onClick={() => leaving.current?.abort()}>
          {text('rows.cancel')}
        </Button>
      ) : (
        <Button onClick={() => void start()}>
          {total === undefined ? text('download.all') : text('download.rows', { count: total })}
        </Button>
      )}
      {download !== undefined && download.state !== 'failed' && (
        <Text size="sm" role="status">
          {text(`download.${download.state}`, { count: download.count })}
        </Text>
      )}
      {download?.state === 'failed' && <ErrorAlert error={download.error} />}
    </Group>
  );
}
