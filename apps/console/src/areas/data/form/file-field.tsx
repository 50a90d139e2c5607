import { Button, FileButton, Group, Input, Text } from '@mantine/core';
import { useState } from 'react';
import { useShowError } from '../../../errors/use-show-error.ts';
import { useText } from '../../../language/text-provider.tsx';
import { useModel } from '../../../model/model-provider.tsx';
import { fileNameOf } from '../values/format-value.ts';
import type { FieldProps } from './field.tsx';

/** A file: its name, a download, and an upload that shows its progress. */
export function FileField({ field, value, error, label, onChange }: FieldProps & { readonly label: string }) {
  const text = useText();
  const { client, rights } = useModel();
  const showError = useShowError();
  const [percent, setPercent] = useState<number>();
  const reference = typeof value === 'string' && value !== '' ? value : undefined;

  async function upload(file: File | null): Promise<void> {
    if (file === null) return;
    setPercent(0);
    try {
      const { fileRef } = await client.files.upload(file, {
        name: file.name,
        onProgress: ({ loaded, total }) => setPercent(Math.floor((100 * loaded) / Math.max(1, total ?? file.size))),
      });
      onChange(fileRef);
    } catch (failure) {
      showError(failure);
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
  return (
    <Input.Wrapper label={label} labelElement="div" error={error}>
      <Group gap="xs">
        <Text size="sm">{reference === undefined ? '–' : fileNameOf(reference)}</Text>
        {reference !== undefined && rights.has('rest.fileDownload.enabled') && (
          <Button size="compact-xs" variant="default" onClick={() => void download()}>
            {text('form.download')}
          </Button>
        )}
        {mayUpload && (
          <FileButton onChange={(file) => void upload(file)} inputProps={{ 'aria-label': label }}>
            {(props) => (
              <Button {...props} size="compact-xs" variant="default" loading={percent !== undefined}>
                {text('form.upload')}
              </Button>
            )}
          </FileButton>
        )}
        {percent !== undefined && (
          <Text size="sm" role="status">
            {text('form.uploaded', { percent })}
          </Text>
        )}
      </Group>
    </Input.Wrapper>
  );
}
