import { Badge, Button, Group, NativeSelect, Stack, TextInput, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useModel, useText } from '../../../context.ts';
import { Dialog } from '../../../controls/dialog.tsx';
import { SearchWords } from '../../../controls/search-words.tsx';
import { TextLink } from '../../../controls/texts.tsx';
import { Pending } from '../../../errors/pending.tsx';
import { DataTable } from '../../../table/data-table.tsx';
import { useRoles } from '../api/roles.ts';
import { useAction } from '../api/use-action.ts';

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

interface Values {
  readonly kind: 'resource' | 'rowLevel';
  readonly code: string;
  readonly name: string;
}

/** A new role in the database. */
function NewRole({ onCreated }: { readonly onCreated: (path: string) => void }) {
  const text = useText();
  const { client, rights } = useModel();
  const kinds = [
    ...(rights.may('sec_ResourceRole', 'create') ? (['resource'] as const) : []),
    ...(rights.may('sec_RowLevelRole', 'create') ? (['rowLevel'] as const) : []),
  ];
  const { register, handleSubmit, watch } = useForm<Values>({
    defaultValues: { kind: kinds[0] ?? 'resource', code: '', name: '' },
  });
  const create = useAction(
    async ({ kind, code, name }: Values) => {
      if (kind === 'resource') await client.create('sec_ResourceRole', { code, name, scopes: ['API', 'UI'] });
      else await client.create('sec_RowLevelRole', { code, name });
      return `/people/${kind === 'resource' ? 'roles' : 'rules'}/${encodeURIComponent(code)}`;
    },
    { done: text('people.saved'), onDone: onCreated },
  );
  return (
    <form onSubmit={handleSubmit((values) => create.mutate(values))}>
      <Stack>
        <NativeSelect
          label={text('roles.kind')}
          description={text(`roles.${watch('kind')}Hint`)}
          data={kinds.map((value) => ({ value, label: text(`roles.${value}`) }))}
          {...register('kind')}
        />
        <TextInput label={text('roles.code')} required {...register('code', { required: true })} />
        <TextInput label={text('roles.name')} required {...register('name', { required: true })} />
        <Button variant="filled" type="submit" loading={create.isPending}>
          {text('action.save')}
        </Button>
      </Stack>
    </form>
  );
}
