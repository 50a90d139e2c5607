import type { RehearsedChange } from '@lintel/client';
import { List, Stack, Text } from '@mantine/core';
import { captionOf, useModel, useText } from '../../../context.ts';
import '@mantine/core/styles/List.css';
import { useQuery } from '@tanstack/react-query';
import { nameOfInstance } from '../values/format-value.ts';

/** Names of an entity that are shown. */
const NAMES = 10;

interface AffectedRecordsProps {
  /** Effect on these instances: `affected.<what>` is its text. */
  readonly what: 'deleted' | 'restored' | 'removed';
  readonly changes: readonly RehearsedChange[];
}

/** Instances that a write changes besides those that the user has chosen, with their number and names. */
export function AffectedRecords({ what, changes }: AffectedRecordsProps) {
  const text = useText();
  const groups = [...Map.groupBy(changes, ({ entity }) => entity)];
  if (groups.length === 0) return <Text size="sm">{text('affected.none')}</Text>;
  return (
    <Stack gap={4}>
      <Text size="sm">{text(`affected.${what}`)}</Text>
      <List size="sm" withPadding>
        {groups.map(([entity, group]) => (
          <List.Item key={entity}>
            <Group entity={entity} ids={group.map(({ id }) => id)} isInBin={what !== 'deleted'} />
          </List.Item>
        ))}
      </List>
    </Stack>
  );
}

interface GroupProps {
  readonly entity: string;
  readonly ids: readonly unknown[];
  readonly isInBin: boolean;
}

function Group({ entity, ids, isInBin }: GroupProps) {
  const text = useText();
  const model = useModel();
  const shown = ids.slice(0, NAMES);
  const { data = [] } = useQuery({
    queryKey: ['instance-names', entity, shown, isInBin],
    queryFn: ({ signal }) =>
      model.client.list(entity, {
        fetchPlan: '_instance_name',
        filter: { conditions: [{ property: 'id', operator: 'in', value: shown }] },
        ...(isInBin && { deleted: 'with' }),
        signal,
      }),
    enabled: model.rights.may(entity, 'read'),
    // Names are a help: their number is known without them.
    retry: false,
  });
  const names = data.map(nameOfInstance);
  const more =
    names.length > 0 && ids.length > names.length ? [text('affected.more', { count: ids.length - names.length })] : [];
  return (
    <>
      {captionOf(model, entity)}: {text('list.rows', { count: ids.length })}
      {names.length > 0 && ` (${[...names, ...more].join(', ')})`}
    </>
  );
}
