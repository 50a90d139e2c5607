import { Alert, Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLanguage, useModel } from '../context.ts';
import { fileNameOf } from '../downloads/file-name.ts';
import { formatSize } from '../downloads/format-size.ts';
import { Pending } from '../errors/pending.tsx';
import { AreaTexts } from '../shell/area-frame.tsx';
import { DocumentPreview } from './document-preview.tsx';
import { kindOfDocument, type ReadDocument } from './read-document.ts';
import { useFileInfo } from './use-file-info.ts';

/** Larger files are loaded when the user asks for it. */
const LOADED_AT_ONCE = 10_000_000;

/** A file with its download, and its content if it is an image, a PDF or a text. */
export const FilePreview = ({ fileRef }: { readonly fileRef: string }) => (
  <AreaTexts area="reports">
    <AreaTexts area="files">
      <Preview key={fileRef} fileRef={fileRef} />
    </AreaTexts>
  </AreaTexts>
);

function Preview({ fileRef }: { readonly fileRef: string }) {
  const { text, locale } = useLanguage();
  const { client, rights } = useModel();
  const [isWanted, setWanted] = useState(false);
  const info = useFileInfo(fileRef);
  const isSmall = info.data?.size !== undefined && info.data.size <= LOADED_AT_ONCE;
  const document = useQuery({
    queryKey: ['file', fileRef],
    queryFn: async ({ signal }): Promise<ReadDocument> => {
      const download = await client.files.download(fileRef, { signal });
      const { contentType } = download;
      const found = kindOfDocument(contentType);
      // A page that a user has stored is shown as its text.
      const kind = found === 'html' ? 'text' : found;
      const blob = (await download.blob()) as unknown as Blob;
      const hasText = kind === 'text' || kind === 'table';
      return { name: fileNameOf(fileRef), contentType, blob, kind, ...(hasText && { text: await blob.text() }) };
    },
    enabled: info.data !== undefined && info.data !== null && (isSmall || isWanted),
    staleTime: 60_000,
  });
  if (!rights.has('rest.fileDownload.enabled')) return <Text>{text('files.noDownload')}</Text>;
  if (info.error !== null || info.data === undefined) return <Pending error={info.error} onRetry={info.refetch} />;
  if (info.data === null) return <Alert color="yellow">{text('files.missing')}</Alert>;
  const { size, contentType } = info.data;
  return (
    <>
      <Text size="sm" c="dimmed">
        {[contentType, size === undefined ? '' : formatSize(size, locale)].filter(Boolean).join(' · ')}
      </Text>
      {(document.error !== null || (document.isFetching && document.data === undefined)) && (
        <Pending error={document.error} onRetry={document.refetch} />
      )}
      {!isSmall && !isWanted && (
        <Group>
          <Button onClick={() => setWanted(true)}>{text('files.load')}</Button>
        </Group>
      )}
      {document.data !== undefined && <DocumentPreview document={document.data} />}
    </>
  );
}
