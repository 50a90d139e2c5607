import { List, Stack, Text, Title } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { captionOf, useModel, useText } from '../../context.ts';
import { TextLink } from '../../controls/texts.tsx';
import { fileNameOf } from '../../downloads/file-name.ts';
import { ErrorAlert, Waiting } from '../../errors/pending.tsx';
import { FilePreview } from '../../preview/file-preview.tsx';
import { instancePath } from '../data/instance-path.ts';
import { nameOfInstance } from '../data/values/format-value.ts';
import { fileAttributesOf, nameOfAttribute } from './file-attributes.ts';

/** Instances of an attribute that are shown. */
const SHOWN = 20;

/** A file: its content, and the instances that refer to it. */
export function FilePage() {
  const text = useText();
  const { ref: fileRef = '' } = useSearch({ strict: false }) as { readonly ref?: string };
  return (
    <Stack>
      <div>
        <TextLink to="/files">{text('files.title')}</TextLink>
        <Title order={1}>{fileNameOf(fileRef)}</Title>
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {fileRef}
        </Text>
      </div>
      <FilePreview fileRef={fileRef} />
      <Title order={2}>{text('files.referredBy')}</Title>
      <References fileRef={fileRef} />
    </Stack>
  );
}

function References({ fileRef }: { readonly fileRef: string }) {
  const text = useText();
  const model = useModel();
  const attributes = useMemo(() => fileAttributesOf(model), [model]);
  const found = useQueries({
    queries: attributes.map(({ entity, path }) => ({
      queryKey: ['file-references', entity, path, fileRef],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        model.client.page(entity, {
          fetchPlan: '_instance_name',
          filter: { conditions: [{ property: path.join('.'), operator: '=', value: fileRef }] },
          limit: SHOWN,
          count: 'exact',
          signal,
        } as never),
    })),
  });
  const failed = found.find(({ error }) => error !== null);
  if (failed !== undefined) return <ErrorAlert error={failed.error} onRetry={() => void failed.refetch()} />;
  if (found.some(({ data }) => data === undefined)) return <Waiting />;
  const referring = attributes.flatMap((attribute, at) => {
    const { items = [], total = 0 } = found[at]?.data ?? {};
    return items.length === 0 ? [] : [{ attribute, items: items as readonly { readonly id: unknown }[], total }];
  });
  if (referring.length === 0) return <Text>{text('files.noReference')}</Text>;
  return (
    <List>
      {referring.map(({ attribute, items, total }) => (
        <List.Item key={nameOfAttribute(attribute)}>
          {captionOf(model, attribute.entity)} ({nameOfAttribute(attribute)}):{' '}
          {items.map((instance, at) => (
            <span key={JSON.stringify(instance.id)}>
              {at > 0 && ', '}
              <TextLink to={instancePath(attribute.entity, instance.id)}>{nameOfInstance(instance)}</TextLink>
            </span>
          ))}
          {total > items.length && ` ${text('files.more', { count: total - items.length })}`}
        </List.Item>
      ))}
    </List>
  );
}
