import { Stack, Text, Title } from '@mantine/core';
import { useText } from '../../../context.ts';
import { DataTable } from '../../../table/data-table.tsx';
import { fieldsOf, type PreviewedBand, textOfField } from './previewed-band.ts';

/** The first rows of the bands of a report. */
export function DataPreview({ bands }: { readonly bands: readonly PreviewedBand[] }) {
  const text = useText();
  return (
    <Stack gap="sm" component="section" aria-label={text('data.title')}>
      <Title order={2}>{text('data.title')}</Title>
      {bands.map((band) => (
        <Band key={band.name} band={band} />
      ))}
    </Stack>
  );
}

function Band({ band: { name, parent, rows, truncated } }: { readonly band: PreviewedBand }) {
  const text = useText();
  const fields = fieldsOf(rows);
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
          columns={fields.map((field) => ({
            caption: field,
            cell: (row: (typeof rows)[number]) => textOfField(row[field]),
          }))}
        />
      )}
      {truncated && <Text size="xs">{text('preview.firstRows', { count: rows.length })}</Text>}
    </div>
  );
}
