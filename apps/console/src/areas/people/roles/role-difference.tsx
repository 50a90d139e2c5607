import { Select, Stack } from '@mantine/core';
import { useState } from 'react';
import { captionOf, useModel, useText } from '../../../context.ts';
import { ErrorAlert } from '../../../errors/pending.tsx';
import { useRead } from '../../../requests/use-read.ts';
import { DataTable } from '../../../table/data-table.tsx';
import { nameOfSpecific } from './name-of-specific.ts';

interface Difference {
  readonly target: string;
  readonly first: number;
  readonly second: number;
}

interface Differences {
  readonly entities: readonly Difference[];
  readonly entityAttributes: readonly Difference[];
  readonly specifics: readonly Difference[];
}

/** The rights that differ between the holders of two roles. */
export function RoleDifference({ code, others }: { readonly code: string; readonly others: readonly string[] }) {
  const text = useText();
  const model = useModel();
  const [other, setOther] = useState<string | null>(null);
  const { data, error } = useRead<Differences>(['people', 'difference', code, other], 'rights', '/difference', {
    query: { first: code, second: other ?? '' },
    enabled: other !== null,
  });
  const rows = data === undefined ? [] : [...data.entities, ...data.specifics, ...data.entityAttributes];
  const levels = ['hidden', 'view', 'modify'];
  const isAttribute = (row: Difference): boolean => data?.entityAttributes.includes(row) === true;
  const nameOf = (row: Difference): string => {
    const [entity = '', part = ''] = row.target.split(':');
    if (data?.specifics.includes(row) === true) return nameOfSpecific(row.target, text, model);
    return isAttribute(row)
      ? `${captionOf(model, entity)} › ${captionOf(model, entity, part)}`
      : `${captionOf(model, entity)}: ${text(`roles.operation.${part}`)}`;
  };
  const wordsOf = (row: Difference, value: number): string =>
    text(isAttribute(row) ? `roles.level.${levels[value]}` : value === 1 ? 'roles.yes' : 'roles.no');
  return (
    <Stack gap="xs">
      <Select
        label={text('roles.compare')}
        placeholder={text('roles.choose')}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': text('people.clear') }}
        value={other}
        onChange={setOther}
        data={[...others]}
        maw={320}
      />
      {error !== null && <ErrorAlert error={error} />}
      {data !== undefined && other !== null && (
        <DataTable
          label={text('roles.difference')}
          rows={rows}
          keyOf={(row) => `${isAttribute(row)} ${row.target}`}
          empty={text('roles.equal')}
          columns={[
            { caption: text('roles.right'), cell: (row) => nameOf(row) },
            { caption: code, cell: (row) => wordsOf(row, row.first) },
            { caption: other, cell: (row) => wordsOf(row, row.second) },
          ]}
        />
      )}
    </Stack>
  );
}
