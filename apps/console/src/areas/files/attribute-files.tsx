import { ActionIcon, Group, Text, Title } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { captionOf, useLanguage, useModel } from '../../context.ts';
import { Hint, TextLink } from '../../controls/texts.tsx';
import { fileNameOf } from '../../downloads/file-name.ts';
import { formatSize } from '../../downloads/format-size.ts';
import { Pending } from '../../errors/pending.tsx';
import { useFileInfo } from '../../preview/use-file-info.ts';
import { DataTable } from '../../table/data-table.tsx';
import { instancePath } from '../data/instance-path.ts';
import { nameOfInstance } from '../data/values/format-value.ts';
import { type FileAttribute, filesOf, nameOfAttribute, planOfFile } from './file-attributes.ts';

const PAGE_SIZE = 20;

/** The files of an attribute, with the instances that refer to them. */
export function AttributeFiles({ attribute }: { readonly attribute: FileAttribute }) {
  const { entity, path } = attribute;
  const { text } = useLanguage();
  const model = useModel();
  // The cursor of each page up to the one that is shown; the first has none.
  const [cursors, setCursors] = useState<readonly (string | undefined)[]>([undefined]);
  const cursor = cursors.at(-1);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['files', entity, path, cursor],
    queryFn: ({ signal }) =>
      model.client.page(entity, {
        fetchPlan: planOfFile(attribute),
        filter: { conditions: [{ property: path.join('.'), operator: 'notEmpty' }] },
        limit: PAGE_SIZE,
        cursor,
        count: 'exact',
        signal,
      } as never),
    placeholderData: keepPreviousData,
  });
  const title = `${captionOf(model, entity)}: ${captionOf(model, entity, path[0])}`;
  return (
    <div>
      <Title order={2}>{title}</Title>
      <Hint>{nameOfAttribute(attribute)}</Hint>
      {(error !== null || data === undefined) && <Pending error={error} onRetry={refetch} />}
      {data !== undefined && data.items.length === 0 && <Text size="sm">{text('files.none')}</Text>}
      {data !== undefined && data.items.length > 0 && (
        <>
          <DataTable
            label={title}
            minWidth={480}
            isBusy={isPlaceholderData}
            rows={(data.items as readonly { readonly id: unknown }[]).flatMap((instance) =>
              filesOf(instance, attribute).map((fileRef) => ({ instance, fileRef })),
            )}
            keyOf={({ instance, fileRef }) => `${JSON.stringify(instance.id)} ${fileRef}`}
            columns={[
              {
                caption: text('files.file'),
                cell: ({ fileRef }) => (
                  <TextLink to="/files/file" search={{ ref: fileRef } as never}>
                    {fileNameOf(fileRef)}
                  </TextLink>
                ),
              },
              { caption: text('files.size'), cell: ({ fileRef }) => <FileSize fileRef={fileRef} /> },
              {
                caption: text('files.referredBy'),
                cell: ({ instance }) => (
                  <TextLink to={instancePath(entity, instance.id)}>{nameOfInstance(instance)}</TextLink>
                ),
              },
            ]}
          />
          <Group justify="space-between">
            <Text size="sm">{data.total !== undefined && text('files.count', { count: data.total })}</Text>
            {(cursors.length > 1 || data.cursor !== undefined) && (
              <Group gap="xs">
                <ActionIcon
                  aria-label={text('files.previous')}
                  disabled={cursors.length === 1}
                  onClick={() => setCursors(cursors.slice(0, -1))}
                >
                  <IconChevronLeft size={16} />
                </ActionIcon>
                <ActionIcon
                  aria-label={text('files.next')}
                  disabled={data.cursor === undefined}
                  onClick={() => setCursors([...cursors, data.cursor])}
                >
                  <IconChevronRight size={16} />
                </ActionIcon>
              </Group>
            )}
          </Group>
        </>
      )}
    </div>
  );
}

function FileSize({ fileRef }: { readonly fileRef: string }) {
  const { text, locale } = useLanguage();
  const { data, error } = useFileInfo(fileRef);
  if (error !== null) return <span title={error.message}>?</span>;
  if (data === undefined) return null;
  if (data === null) return text('files.lost');
  return data.size === undefined ? null : formatSize(data.size, locale);
}
