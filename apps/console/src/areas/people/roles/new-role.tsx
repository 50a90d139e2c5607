import { Button, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useForm } from 'react-hook-form';
import { useModel, useText } from '../../../context.ts';
import { useAction } from '../api/use-action.ts';

interface Values {
  readonly kind: 'resource' | 'rowLevel';
  readonly code: string;
  readonly name: string;
}

/** A new role in the database. */
export function NewRole({ onCreated }: { readonly onCreated: (path: string) => void }) {
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
