import type { EntityInfo } from '@lintel/client';
import { ActionIcon, Anchor, Group, Table, Text, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { ErrorAlert } from '../../../errors/error-alert.tsx';
import { useLanguage } from '../../../language/text-provider.tsx';
import { captionOf } from '../../../model/model.ts';
import { useModel } from '../../../model/model-provider.tsx';
import { Waiting } from '../../../shell/waiting.tsx';
import { instancePath } from '../instance-path.ts';
import { formatValue, nameOfInstance } from '../values/format-value.ts';
import { columnsOf, firstColumnsOf, isSortable, planOf } from './columns.ts';

const PAGE_SIZE = 50;

interface InstanceListProps {
  readonly entity: EntityInfo;
}

/** A page of the instances of an entity. */
export function InstanceList({ entity }: InstanceListProps) {
  const { entityName } = entity;
  const { text, locale } = useLanguage();
  const model = useModel();
  const columns = useMemo(() => columnsOf(entity, model), [entity, model]);
  const names = firstColumnsOf(columns);
  const [sort, setSort] = useState<string>();
  // The cursor of each page up to the one that is shown; the first has none.
  const [cursors, setCursors] = useState<readonly (string | undefined)[]>([undefined]);
  const cursor = cursors.at(-1);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['list', entityName, { names, sort, cursor }],
    queryFn: ({ signal }) =>
      model.client.page(entityName, {
        fetchPlan: planOf(names),
        sort,
        cursor,
        limit: PAGE_SIZE,
        count: 'estimated',
        signal,
      }),
    placeholderData: keepPreviousData,
  });
  if (error !== null) return <ErrorAlert error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Waiting />;
  const changeSort = (name: string): void => {
    setSort(sort === name ? `-${name}` : name);
    setCursors([undefined]);
  };
  const shown = columns.filter(({ name }) => names.includes(name));
  return (
    <>
      <Table.ScrollContainer minWidth={Math.min(shown.length * 130, 900)} type="native" tabIndex={0} pos="relative">
        <Table
          highlightOnHover
          verticalSpacing={6}
          aria-label={captionOf(model, entityName)}
          aria-busy={isPlaceholderData}
        >
          <Table.Thead>
            <Table.Tr>
              {shown.map((attribute) => {
                const { name } = attribute;
                const direction = sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : undefined;
                const caption = captionOf(model, entityName, name);
                return (
                  <Table.Th key={name} aria-sort={direction}>
                    {isSortable(attribute) ? (
                      <UnstyledButton onClick={() => changeSort(name)} fz="sm" fw={600}>
                        {caption}
                        {direction === 'ascending' && <IconArrowUp size={13} aria-hidden />}
                        {direction === 'descending' && <IconArrowDown size={13} aria-hidden />}
                      </UnstyledButton>
                    ) : (
                      caption
                    )}
                  </Table.Th>
                );
              })}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.items.map((row) => (
              <Table.Tr key={JSON.stringify(row['id'])}>
                {shown.map((attribute, index) => {
                  const value = formatValue(row[attribute.name], attribute, { locale, text, enums: model.enums });
                  return (
                    <Table.Td key={attribute.name}>
                      {index === 0 ? (
                        <Anchor component={Link} to={instancePath(entityName, row['id'])} size="sm">
                          {value === '' ? nameOfInstance(row) : value}
                        </Anchor>
                      ) : (
                        value
                      )}
                    </Table.Td>
                  );
                })}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {data.items.length === 0 && <Text>{text('list.empty')}</Text>}
      <Group justify="space-between">
        <Text size="sm">{data.total !== undefined && text('list.rows', { count: data.total })}</Text>
        <Group gap="xs">
          <Text size="sm">{text('list.page', { count: cursors.length })}</Text>
          <ActionIcon
            variant="default"
            aria-label={text('list.previous')}
            disabled={cursors.length === 1}
            onClick={() => setCursors(cursors.slice(0, -1))}
          >
            <IconChevronLeft size={16} />
          </ActionIcon>
          <ActionIcon
            variant="default"
            aria-label={text('list.next')}
            disabled={data.cursor === undefined}
            onClick={() => setCursors([...cursors, data.cursor])}
          >
            <IconChevronRight size={16} />
          </ActionIcon>
        </Group>
      </Group>
    </>
  );
}
