import { Select, Stack, Text, Title } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useModel, useText } from '../../context.ts';
import { TextLink } from '../../controls/texts.tsx';
import { AttributeFiles } from './attribute-files.tsx';
import { fileAttributesOf, nameOfAttribute } from './file-attributes.ts';
import { MANAGE_FILES } from './unreferenced-files.ts';

const ALL = '';

/** The files that instances refer to, of one attribute or of all. */
export function FilesPage() {
  const text = useText();
  const model = useModel();
  const navigate = useNavigate();
  const { of = ALL } = useSearch({ strict: false }) as { readonly of?: string };
  const attributes = useMemo(() => fileAttributesOf(model), [model]);
  const shown = attributes.filter((attribute) => of === ALL || nameOfAttribute(attribute) === of);
  return (
    <Stack>
      <Title order={1}>{text('files.title')}</Title>
      {model.rights.has(MANAGE_FILES) && <TextLink to="/files/unreferenced">{text('unreferenced.title')}</TextLink>}
      {attributes.length === 0 && <Text>{text('files.noAttribute')}</Text>}
      {attributes.length > 0 && (
        <Select
          label={text('files.attribute')}
          maw={420}
          searchable
          value={of}
          data={[
            { value: ALL, label: text('files.all') },
            ...attributes.map((attribute) => ({
              value: nameOfAttribute(attribute),
              label: nameOfAttribute(attribute),
            })),
          ]}
          onChange={(chosen) =>
            void navigate({ to: '.', search: (chosen === null || chosen === ALL ? {} : { of: chosen }) as never })
          }
        />
      )}
      {shown.map((attribute) => (
        <AttributeFiles key={nameOfAttribute(attribute)} attribute={attribute} />
      ))}
    </Stack>
  );
}
