import { Stack, Table, Text, Title } from '@mantine/core';
import { useText } from '../../../language/text-provider.tsx';

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
        <Table.ScrollContainer
          minWidth={Math.min(fields.length * 110, 900)}
          type="native"
          tabIndex={0}
          role="region"
          aria-label={name}
        >
          <Table striped aria-label={name} verticalSpacing={4}>
            <Table.Thead>
              <Table.Tr>
                {fields.map((field) => (
                  <Table.Th key={field}>{field}</Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map((row, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity
                <Table.Tr key={at}>
                  {fields.map((field) => (
                    <Table.Td key={field}>{shown(row[field])}</Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {truncated && <Text size="xs">{text('preview.firstRows', { count: rows.length })}</Text>}
    </div>
  );
}

const shown = (value: unknown): string =>
  value === null || value === undefined ? '' : Array.isArray(value) ? value.map(shown).join(', ') : String(value);
