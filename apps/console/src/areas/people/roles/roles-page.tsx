import { Badge, Button, Group, Stack, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useModel, useText } from '../../../context.ts';
import { Dialog } from '../../../controls/dialog.tsx';
import { SearchWords } from '../../../controls/search-words.tsx';
import { TextLink } from '../../../controls/text-link.tsx';
import { Pending } from '../../../shell/pending.tsx';
import { DataTable } from '../../../table/data-table.tsx';
import { useRoles } from '../api/roles.ts';
import { NewRole } from './new-role.tsx';

/** All roles, of the code and of the database. */
export function RolesPage() {
  const text = useText();
  const { rights } = useModel();
  const navigate = useNavigate();
  const { data, error, refetch } = useRoles();
  const [words, setWords] = useState('');
  const [isNew, { open, close }] = useDisclosure();
  if (error !== null || data === undefined) return <Pending error={error} onRetry={refetch} />;
  const rows = [
    ...data.resourceRoles.map((role) => ({ ...role, kind: 'resource' as const })),
    ...data.rowLevelRoles.map((role) => ({ ...role, kind: 'rowLevel' as const })),
  ].filter(({ code, name }) => `${code} ${name}`.toLowerCase().includes(words.toLowerCase()));
  const mayCreate = rights.may('sec_ResourceRole', 'create') || rights.may('sec_RowLevelRole', 'create');
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={1}>{text('people.roles')}</Title>
        {mayCreate && (
          <Button variant="filled" leftSection={<IconPlus size={16} />} onClick={open}>
            {text('roles.create')}
          </Button>
        )}
      </Group>
      <SearchWords label={text('roles.find')} words={words} onChange={setWords} />
      <DataTable
        label={text('people.roles')}
        rows={rows}
        keyOf={({ kind, source, code }) => `${kind} ${source} ${code}`}
        empty={text('roles.noneFound')}
        columns={[
          {
            caption: text('roles.role'),
            cell: ({ kind, code, name }) => (
              <TextLink to={`/people/${kind === 'resource' ? 'roles' : 'rules'}/${encodeURIComponent(code)}`}>
                {name}
              </TextLink>
            ),
          },
          { caption: text('roles.code'), cell: ({ code }) => code },
          {
            caption: text('roles.kind'),
            cell: ({ kind }) => <Badge variant="default">{text(`roles.${kind}`)}</Badge>,
          },
          { caption: text('roles.source'), cell: ({ source }) => text(`roles.source.${source}`) },
          { caption: text('roles.policies'), cell: ({ policies }) => policies.length },
        ]}
      />
      <Dialog isOpen={isNew} onClose={close} title={text('roles.create')}>
        <NewRole onCreated={(path) => void navigate({ to: path as string })} />
      </Dialog>
    </Stack>
  );
}
