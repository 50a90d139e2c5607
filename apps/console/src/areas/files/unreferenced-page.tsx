import { Alert, Button, Checkbox, Group, Stack, Text, Title } from '@mantine/core';
import { formatTime, useLanguage, useRights } from '../../context.ts';
import { TextLink } from '../../controls/texts.tsx';
import '@mantine/core/styles/Checkbox.css';
import { useState } from 'react';
import { ConfirmButton } from '../../controls/confirm-button.tsx';
import { formatSize } from '../../downloads/format-size.ts';
import { ErrorAlert, Pending } from '../../errors/pending.tsx';
import { DataTable } from '../../table/data-table.tsx';
import { MANAGE_FILES, type UnreferencedFile, useUnreferencedFiles } from './unreferenced-files.ts';

/** Files that nothing refers to: looked at, and removed. */
export function UnreferencedPage() {
  const { text } = useLanguage();
  const rights = useRights();
  return (
    <Stack>
      <div>
        <TextLink to="/files">{text('files.title')}</TextLink>
        <Title order={1}>{text('unreferenced.title')}</Title>
        <Text size="sm">{text('unreferenced.text')}</Text>
      </div>
      {rights.has(MANAGE_FILES) ? <UnreferencedFiles /> : <Text>{text('unreferenced.denied')}</Text>}
    </Stack>
  );
}

function UnreferencedFiles() {
  const { text, locale } = useLanguage();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const { list, remove } = useUnreferencedFiles();
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = list;
  if (error !== null || data === undefined) return <Pending error={error} onRetry={refetch} />;
  const files = data.pages.flatMap((page) => page.files);
  const chosen = files.filter(({ fileRef }) => selected.has(fileRef));
  const results = remove.data ?? [];
  const removed = results.filter(({ result }) => result === 'removed').length;
  const size = formatSize(
    chosen.reduce((sum, file) => sum + file.size, 0),
    locale,
  );
  return (
    <>
      {remove.error !== null && <ErrorAlert error={remove.error} />}
      {results.length > 0 && (
        <Alert color={removed === results.length ? 'green' : 'yellow'} role="status">
          {text('unreferenced.removed', { count: removed })}
          {removed < results.length && ` ${text('unreferenced.kept', { count: results.length - removed })}`}
        </Alert>
      )}
      {files.length === 0 && !hasNextPage && <Text>{text('unreferenced.none')}</Text>}
      {files.length === 0 && hasNextPage && <Text>{text('unreferenced.noneYet')}</Text>}
      {files.length > 0 && <FileTable files={files} selected={selected} onSelect={setSelected} />}
      <Group>
        {chosen.length > 0 && (
          <ConfirmButton
            size="sm"
            label={text('unreferenced.remove', { count: chosen.length })}
            question={text('unreferenced.removeText', { count: chosen.length, size })}
            loading={remove.isPending}
            onConfirm={() =>
              remove.mutate(
                chosen.map(({ fileRef }) => fileRef),
                { onSuccess: () => setSelected(new Set()) },
              )
            }
          />
        )}
        {hasNextPage && (
          <Button loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {text('unreferenced.more')}
          </Button>
        )}
      </Group>
    </>
  );
}

interface FileTableProps {
  readonly files: readonly UnreferencedFile[];
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (selected: ReadonlySet<string>) => void;
}

function FileTable({ files, selected, onSelect }: FileTableProps) {
  const { text, locale } = useLanguage();
  const count = files.filter(({ fileRef }) => selected.has(fileRef)).length;
  return (
    <DataTable
      label={text('unreferenced.title')}
      minWidth={480}
      rows={files}
      keyOf={({ fileRef }) => fileRef}
      columns={[
        {
          caption: (
            <Checkbox
              aria-label={text('unreferenced.selectAll')}
              checked={count === files.length}
              indeterminate={count > 0 && count < files.length}
              onChange={() => onSelect(new Set(count === files.length ? [] : files.map(({ fileRef }) => fileRef)))}
            />
          ),
          cell: ({ fileRef, name }) => (
            <Checkbox
              aria-label={text('unreferenced.select', { name })}
              checked={selected.has(fileRef)}
              onChange={() => {
                const next = new Set(selected);
                if (!next.delete(fileRef)) next.add(fileRef);
                onSelect(next);
              }}
            />
          ),
        },
        {
          caption: text('files.file'),
          wraps: true,
          cell: ({ fileRef, name }) => (
            <TextLink to="/files/file" search={{ ref: fileRef } as never}>
              {name}
            </TextLink>
          ),
        },
        { caption: text('files.size'), cell: (file) => formatSize(file.size, locale) },
        { caption: text('unreferenced.storedAt'), cell: ({ lastModified }) => formatTime(lastModified, locale) },
      ]}
    />
  );
}
