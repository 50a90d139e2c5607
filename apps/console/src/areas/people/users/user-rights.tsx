import { Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { captionOf, useLanguage, useModel } from '../../../context.ts';
import { SearchWords } from '../../../controls/search-words.tsx';
import { Pending } from '../../../errors/pending.tsx';
import { useRead } from '../../../requests/use-read.ts';
import { DataTable } from '../../../table/data-table.tsx';
import { useRoles } from '../api/roles.ts';
import { nameOfSpecific } from '../roles/name-of-specific.ts';
import { type EntityRights, effectiveRights, type GrantedRights } from './effective-rights.ts';

const OPERATIONS = ['read', 'create', 'update', 'delete'] as const;

/** The rights of a user, with the roles that give each of them. */
export function UserRights({ username }: { readonly username: string }) {
  const { text, locale } = useLanguage();
  const model = useModel();
  const roles = useRoles();
  const [words, setWords] = useState('');
  const granted = useRead<GrantedRights>(['people', 'rights', username], 'rights', '/permissions', {
    query: { username },
  });
  const error = granted.error ?? roles.error;
  if (error !== null || granted.data === undefined || roles.data === undefined) return <Pending error={error} />;
  const { entities, specifics, rowRoles } = effectiveRights(granted.data, roles.data.resourceRoles);
  const matches = (name: string): boolean => name.toLowerCase().includes(words.toLowerCase());
  const named = entities
    .map((each) => ({ ...each, caption: captionOf(model, each.entityName) }))
    .filter(({ caption, entityName }) => matches(`${caption} ${entityName}`))
    .sort((one, other) => one.caption.localeCompare(other.caption, locale));
  const permissions = specifics
    .map((each) => ({ ...each, caption: nameOfSpecific(each.name, text, model) }))
    .filter(({ caption, name }) => matches(`${caption} ${name}`));
  const nameOfRule = (code: string): string =>
    roles.data?.rowLevelRoles.find((role) => role.code === code)?.name ?? code;
  return (
    <Stack>
      {rowRoles.length > 0 && (
        <Text size="sm">{text('rights.rules', { roles: rowRoles.map(nameOfRule).join(', ') })}</Text>
      )}
      <SearchWords label={text('roles.findEntity')} words={words} onChange={setWords} />
      <DataTable
        label={text('roles.matrix')}
        rows={named}
        keyOf={({ entityName }) => entityName}
        empty={text('rights.none')}
        minWidth={640}
        columns={[
          { caption: text('roles.entity'), cell: ({ caption }) => caption },
          ...OPERATIONS.map((operation) => ({
            caption: text(`roles.operation.${operation}`),
            wraps: true,
            cell: ({ by }: EntityRights) => by[operation] && (by[operation].join(', ') || text('roles.yes')),
          })),
        ]}
      />
      <Title order={2}>{text('roles.specifics')}</Title>
      <DataTable
        label={text('roles.specifics')}
        rows={permissions}
        keyOf={({ name }) => name}
        empty={text('rights.none')}
        columns={[
          { caption: text('roles.right'), cell: ({ caption }) => caption },
          { caption: text('rights.from'), wraps: true, cell: ({ roles: by }) => by.join(', ') },
        ]}
      />
    </Stack>
  );
}
