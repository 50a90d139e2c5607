import { Button, FileButton, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconUpload, IconWand } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useModel, useText } from '../../../context.ts';
import { Dialog } from '../../../controls/dialog.tsx';
import { SubmitForm, TextField } from '../../../controls/forms.tsx';
import { useAction } from '../../../requests/use-action.ts';
import { importReport } from '../archive/import-report.ts';
import { REPORT } from '../stored/stored-report.ts';

const EMPTY = { bands: [] };

/** A new report of the database, or one from a file. */
export function CreateReport() {
  const text = useText();
  const { client, rights } = useModel();
  const navigate = useNavigate();
  const mayUpload = rights.has('rest.fileUpload.enabled') && rights.may(REPORT, 'update');
  const [isNew, { open, close }] = useDisclosure();
  const [name, setName] = useState('');
  const [code, setCode] = useState('');
  const created = {
    reads: [['report'], ['reports']],
    onDone: (id: string) => void navigate({ to: `/reports/${id}/definition` as string }),
  };
  const create = useAction(async () => {
    const values = { name, code: code === '' ? null : code, restAccess: true, definition: JSON.stringify(EMPTY) };
    return String((await client.create(REPORT, values)).id);
  }, created);
  const upload = useAction(
    async (file: File) => {
      const { ArchiveError } = await import('../archive/report-archive.ts');
      try {
        return await importReport(client, file);
      } catch (error) {
        if (error instanceof ArchiveError) throw new Error(text('archive.unreadable', { problem: error.message }));
        throw error;
      }
    },
    { ...created, done: text('archive.imported') },
  );
  return (
    <>
      <Button variant="filled" leftSection={<IconPlus size={16} />} onClick={open}>
        {text('definition.create')}
      </Button>
      {mayUpload && (
        <Button component={Link} to="/reports/wizard" leftSection={<IconWand size={16} />}>
          {text('wizard.title')}
        </Button>
      )}
      {mayUpload && (
        <FileButton
          accept=".zip,application/zip"
          onChange={(file) => file !== null && upload.mutate(file)}
          inputProps={{ 'aria-label': text('archive.file') }}
        >
          {(props) => (
            <Button {...props} loading={upload.isPending} leftSection={<IconUpload size={16} />}>
              {text('archive.import')}
            </Button>
          )}
        </FileButton>
      )}
      <Dialog isOpen={isNew} onClose={close} title={text('definition.create')}>
        <SubmitForm onSubmit={() => create.mutate()}>
          <Stack>
            <TextField label={text('definition.name')} required value={name} onChange={setName} />
            <TextField label={text('definition.code')} value={code} onChange={setCode} />
            <Button variant="filled" type="submit" loading={create.isPending}>
              {text('action.save')}
            </Button>
          </Stack>
        </SubmitForm>
      </Dialog>
    </>
  );
}
