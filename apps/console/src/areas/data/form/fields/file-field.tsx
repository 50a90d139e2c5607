import { useModel, useText } from '../../../../context.ts';
import { Waiting } from '../../../../errors/pending.tsx';
import '@mantine/core/styles/Progress.css';
import { Button, FileButton, Group, Input, Progress, Text } from '@mantine/core';
import { lazy, Suspense, useRef, useState } from 'react';
import { Dialog } from '../../../../controls/dialog.tsx';
import { fileNameOf } from '../../../../downloads/file-name.ts';
import { useShowError } from '../../../../errors/use-show-error.ts';
import { type LabelledFieldProps, useForm } from '../form-context.ts';

const FilePreview = lazy(async () => ({ default: (await import('../../../../preview/file-preview.tsx')).FilePreview }));

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
          <Suspense fallback={<Waiting />}>
            <FilePreview fileRef={reference} />
          </Suspense>
        </Dialog>
      )}
    </Input.Wrapper>
  );
}
