import { useModel, useText } from '../../../../context.ts';
import { Pending } from '../../../../errors/pending.tsx';
import '@mantine/core/styles/Progress.css';
import { Button, FileButton, Group, Input, Progress, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Dialog } from '../../../../controls/dialog.tsx';
import { useShowError } from '../../../../errors/use-show-error.ts';
import { fileNameOf } from '../../values/format-value.ts';
import classes from '../form.module.css';
import { type LabelledFieldProps, useForm } from '../form-context.ts';

/** A larger file is downloaded, not shown. */
const MAX_SHOWN_BYTES = 20_000_000;
const MAX_CHARACTERS = 100_000;

/** A file: its name, a preview, a download, and an upload that shows its progress and can be stopped. */
export function FileField({ field, value, path, error, label }: LabelledFieldProps) {
  const text = useText();
  const { client, rights } = useModel();
  const { change } = useForm();
  const showError = useShowError();
  const [percent, setPercent] = useState<number>();
  const [isShown, setShown] = useState(false);
  const stopping = useRef<AbortController>(undefined);
  const reference = typeof value === 'string' && value !== '' ? value : undefined;

  async function upload(file: File | null): Promise<void> {
    if (file === null) return;
    const stop = new AbortController();
    stopping.current = stop;
    setPercent(0);
    try {
      const { fileRef } = await client.files.upload(file, {
        name: file.name,
        signal: stop.signal,
        onProgress: ({ loaded, total }) => setPercent(Math.floor((100 * loaded) / Math.max(1, total ?? file.size))),
      });
      change(path, fileRef);
    } catch (failure) {
      if (!stop.signal.aborted) showError(failure);
    } finally {
      setPercent(undefined);
    }
  }

  async function download(): Promise<void> {
    if (reference === undefined) return;
    try {
      location.assign(await client.ticketUrl(client.files.url(reference, { attachment: true })));
    } catch (failure) {
      showError(failure);
    }
  }

  const mayUpload = !field.isReadOnly && rights.has('rest.fileUpload.enabled');
  const mayDownload = reference !== undefined && rights.has('rest.fileDownload.enabled');
  return (
    <Input.Wrapper label={label} labelElement="div" error={error} withAsterisk={field.attribute.mandatory && mayUpload}>
      <Group gap="xs">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {reference === undefined ? '–' : fileNameOf(reference)}
        </Text>
        {mayDownload && (
          <>
            <Button size="compact-xs" onClick={() => setShown(true)}>
              {text('file.show')}
            </Button>
            <Button size="compact-xs" onClick={() => void download()}>
              {text('form.download')}
            </Button>
          </>
        )}
        {mayUpload && percent === undefined && (
          <FileButton onChange={(file) => void upload(file)} inputProps={{ 'aria-label': label }}>
            {(props) => (
              <Button {...props} size="compact-xs">
                {text('form.upload')}
              </Button>
            )}
          </FileButton>
        )}
        {!field.isReadOnly && reference !== undefined && percent === undefined && (
          <Button size="compact-xs" onClick={() => change(path, null)}>
            {text('file.remove')}
          </Button>
        )}
      </Group>
      {percent !== undefined && (
        <Group gap="xs" mt={4} wrap="nowrap">
          <Progress value={percent} flex={1} aria-label={text('file.uploading', { name: label })} />
          <Text size="sm" role="status">
            {text('form.uploaded', { percent })}
          </Text>
          <Button size="compact-xs" onClick={() => stopping.current?.abort()}>
            {text('file.stop')}
          </Button>
        </Group>
      )}
      {isShown && reference !== undefined && (
        <Dialog onClose={() => setShown(false)} size="xl" title={fileNameOf(reference)}>
          <FilePreview reference={reference} />
        </Dialog>
      )}
    </Input.Wrapper>
  );
}

type Kind = 'image' | 'pdf' | 'text' | 'none';

function kindOfFile(contentType: string): Kind {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (/^image\/(?:png|jpeg|gif|webp)$/.test(type)) return 'image';
  if (type === 'application/pdf') return 'pdf';
  return type.startsWith('text/') || type === 'application/json' ? 'text' : 'none';
}

/** The content of a file, if the browser can show it safely: HTML is shown as its text. */
function FilePreview({ reference }: { readonly reference: string }) {
  const text = useText();
  const { client } = useModel();
  const name = fileNameOf(reference);
  const { data, error, refetch } = useQuery({
    // The page of a file keeps it in another form, by the key `file`.
    queryKey: ['file-preview', reference],
    queryFn: async ({ signal }) => {
      const download = await client.files.download(reference, { signal });
      const kind = kindOfFile(download.contentType);
      const blob = (await download.blob()) as unknown as Blob;
      if (kind === 'none' || blob.size > MAX_SHOWN_BYTES) return { kind: 'none' as const, blob };
      return { kind, blob, ...(kind === 'text' && { content: (await blob.text()).slice(0, MAX_CHARACTERS) }) };
    },
    gcTime: 0,
  });
  const url = useMemo(() => (data === undefined ? undefined : URL.createObjectURL(data.blob)), [data]);
  useEffect(() => () => (url === undefined ? undefined : URL.revokeObjectURL(url)), [url]);
  if (error !== null || data === undefined || url === undefined) return <Pending error={error} onRetry={refetch} />;
  switch (data.kind) {
    case 'image':
      return <img src={url} alt={name} className={classes['preview']} />;
    case 'pdf':
      return <iframe src={url} title={name} className={classes['frame']} />;
    case 'text':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (WCAG 2.1.1)
        <pre className={classes['plain']} tabIndex={0}>
          {data.content}
        </pre>
      );
    default:
      return <Text size="sm">{text('file.noPreview')}</Text>;
  }
}
