import type { ConditionGroup } from '@lintel/client';
import type { ResolvedPath } from '@lintel/react';
import { Button, Group, Text, useDirection } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { saveBlob } from '../../../../downloads/save-blob.ts';
import { ErrorAlert } from '../../../../errors/error-alert.tsx';
import { useLanguage } from '../../../../language/text-provider.tsx';
import { captionOf } from '../../../../model/model.ts';
import { useModel } from '../../../../model/model-provider.tsx';
import { planOf } from '../../paths/plan-of.ts';
import { isDynamic } from '../../paths/resolve-dynamic.ts';
import type { Row } from '../row.ts';
import { csvOfRows } from './csv-of-rows.ts';
import { fileOfRows, type RowFile, TooManyRowsError } from './file-of-rows.ts';
import { readSelected } from './read-selected.ts';
import { withoutPersonal } from './without-personal.ts';

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
  | { readonly state: 'running' | 'done' | 'cancelled' | 'tooMany'; readonly count: number }
  | { readonly state: 'failed'; readonly error: unknown };

const FORMATS = ['CSV', 'XLSX'] as const;
type Format = (typeof FORMATS)[number];

/** The rows with their columns as a file; it is read page by page, and can be cancelled. */
export function DownloadPanel({ entityName, columns: shown, filter, sort, rows, total }: DownloadPanelProps) {
  const { text } = useLanguage();
  const model = useModel();
  const { client } = model;
  const columns = withoutPersonal(model, entityName, shown);
  const createFile = useRowFile(entityName, columns);
  const [download, setDownload] = useState<Download>();
  const leaving = useRef<AbortController>(undefined);
  useEffect(() => () => leaving.current?.abort(), []);
  const start = async (format: Format): Promise<void> => {
    const controller = new AbortController();
    leaving.current = controller;
    const { signal } = controller;
    let count = 0;
    setDownload({ state: 'running', count });
    const paths = columns.map(({ path }) => path);
    const plan = { fetchPlan: planOf(paths), ...(paths.some(isDynamic) && { dynamicAttributes: true }) };
    try {
      const { file, maxRows } = await createFile(format);
      const found =
        rows === undefined
          ? (client.all(entityName, { filter, sort, ...plan, signal }) as AsyncIterable<Row>)
          : readSelected(client, entityName, rows, { ...plan, signal });
      const made = await fileOfRows(found, file, {
        signal,
        maxRows,
        onProgress: (next) => {
          count = next;
          setDownload({ state: 'running', count });
        },
      });
      if (made !== undefined) saveBlob(made, `${entityName}.${format.toLowerCase()}`);
      setDownload({ state: made === undefined ? 'cancelled' : 'done', count });
    } catch (error) {
      if (signal.aborted) setDownload({ state: 'cancelled', count });
      else if (error instanceof TooManyRowsError) setDownload({ state: 'tooMany', count: error.maxRows });
      else setDownload({ state: 'failed', error });
    }
  };
  return (
    <Group gap="xs" role="region" aria-label={text('download.title')}>
      {download?.state === 'running' ? (
        <Button variant="default" onClick={() => leaving.current?.abort()}>
          {text('rows.cancel')}
        </Button>
      ) : (
        FORMATS.map((format) => (
          <Button key={format} variant="default" onClick={() => void start(format)}>
            {total === undefined ? text('download.all', { format }) : text('download.rows', { count: total, format })}
          </Button>
        ))
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

/** Creates the file of a format; what writes workbooks is loaded when it is needed. */
function useRowFile(entityName: string, columns: readonly ResolvedPath[]) {
  const { text, locale } = useLanguage();
  const model = useModel();
  const { enums } = model;
  const { dir } = useDirection();
  return async (format: Format): Promise<{ readonly file: RowFile; readonly maxRows?: number }> => {
    if (format === 'CSV') return { file: csvOfRows({ columns, text, enums }) };
    const { MAX_XLSX_ROWS, xlsxOfRows } = await import('./xlsx/xlsx-of-rows.ts');
    const sheet = captionOf(model, entityName);
    const file = xlsxOfRows({ columns, sheet, isRightToLeft: dir === 'rtl', text, locale, enums });
    return { file, maxRows: MAX_XLSX_ROWS };
  };
}
