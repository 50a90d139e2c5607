import { Button, FileButton, Group } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient, useText } from '../../../context.ts';
import { ChoiceField, TextField } from '../../../controls/forms.tsx';
import { ErrorAlert } from '../../../errors/pending.tsx';

interface AddTemplateProps {
  readonly reportId: string;
  /** The first template is the default one. */
  readonly isFirst: boolean;
  readonly onAdded: (code: string) => void;
}

const OUTPUTS = ['PDF', 'HTML', 'DOCX', 'XLSX', 'CSV', 'CUSTOM'];

/** A new template: its code, its output and its file. */
export function AddTemplate({ reportId, isFirst, onAdded }: AddTemplateProps) {
  const text = useText();
  const client = useClient();
  const [code, setCode] = useState(isFirst ? 'DEFAULT' : '');
  const [reportOutputType, setOutput] = useState('PDF');
  const add = useMutation({
    mutationFn: async (file: File) => {
      const { fileRef } = await client.files.upload(file as never, { name: file.name });
      const template = { code, reportOutputType, isDefault: isFirst, name: file.name, content: fileRef };
      await client.create('report_ReportTemplate', { ...template, report: { id: reportId } });
    },
    onSuccess: () => {
      onAdded(code);
      setCode('');
    },
  });
  return (
    <>
      <Group align="flex-end">
        <TextField label={text('templates.code')} value={code} onChange={setCode} />
        <ChoiceField label={text('templates.output')} data={OUTPUTS} value={reportOutputType} onChange={setOutput} />
        <FileButton
          onChange={(file) => file !== null && add.mutate(file)}
          inputProps={{ 'aria-label': text('templates.addFile') }}
        >
          {(props) => (
            <Button
              {...props}
              disabled={code.trim() === ''}
              loading={add.isPending}
              leftSection={<IconUpload size={16} />}
            >
              {text('templates.add')}
            </Button>
          )}
        </FileButton>
      </Group>
      {add.error !== null && <ErrorAlert error={add.error} />}
    </>
  );
}
