import { Stack, Text, Title } from '@mantine/core';
import { useText } from '../../../language/text-provider.tsx';
import { DataTable } from '../../../table/data-table.tsx';

/** The first rows of a band. */
export interface PreviewedBand {
  readonly name: string;
  readonly parent: string | null;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly truncated: boolean;
}

/** The first rows of the bands of a report. */
export function DataPreview({ bands }: { readonly bands: readonly PreviewedBand[] }) {
  const text = useText();
  return (
    <Stack gap="sm" component="section" aria-label={text('data.title')}>
      <Title order={2} size="h4">
        {text('data.title')}
      </Title>
      {bands.map((band) => (
        <Band key={band.name} band={band} />
      ))}
    </Stack>
  );
}

function Band({ band: { name, parent, rows, truncated } }: { readonly band: PreviewedBand }) {
  const text = useText();
  const fields = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return (
    <div>
      <Title order={3} size="h5">
        {parent === null ? name : text('data.band', { name, parent })}
      </Title>
      {fields.length === 0 ? (
        <Text size="sm">{text('data.none')}</Text>
      ) : (
        <DataTable
          label={name}
          rows={rows}
          columns={fields.map((field) => ({ caption: field, cell: (row: (typeof rows)[number]) => shown(row[field]) }))}
        />
      )}
      {truncated && <Text size="xs">{text('preview.firstRows', { count: rows.length })}</Text>}
    </div>
  );
}

const shown = (value: unknown): string =>
  value === null || value === undefined ? '' : Array.isArray(value) ? value.map(shown).join(', ') : String(value);
