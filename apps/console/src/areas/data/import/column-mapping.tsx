import type { ImportReport } from '@lintel/client';
import { isToMany } from '@lintel/react';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useText } from '../../../context.ts';
import { PathSelect } from '../paths/path-select.tsx';

interface ColumnMappingProps {
  readonly entity: string;
  readonly columns: ImportReport['columns'];
  /** Attributes of columns; null: the column is skipped. */
  readonly onChange: (changed: Readonly<Record<string, string | null>>) => void;
  /** Columns that have no attribute, and are not skipped yet. */
  readonly unmapped: readonly string[];
}

/** Shows the attribute of each column; the user chooses another one, or none. */
export function ColumnMapping({ entity, columns, unmapped, onChange }: ColumnMappingProps) {
  const text = useText();
  return (
    <Stack gap="xs">
      <Text size="sm">{text('import.columns')}</Text>
      <Group gap="sm" align="end">
        {columns.map(({ column, attribute }) => (
          <Group key={column} gap="xs" align="end">
            <PathSelect
              entityName={entity}
              // A reference alone is its id.
              path={attribute?.replace(/\.id$/, '') ?? ''}
              label={column}
              isOffered={(attribute) => !isToMany(attribute)}
              hasDynamic
              onChange={(path) => onChange({ [column]: path === '' ? null : path })}
            />
          </Group>
        ))}
      </Group>
      {unmapped.length > 0 && (
        <Group>
          <Button
            size="compact-sm"
            onClick={() => onChange(Object.fromEntries(unmapped.map((column) => [column, null])))}
          >
            {text('import.skipColumns', { names: unmapped.join(', ') })}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
