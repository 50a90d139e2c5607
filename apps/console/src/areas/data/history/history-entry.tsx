import type { HistoryChange } from '@lintel/client';
import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { captionOf, useLanguage, useModel } from '../../../context.ts';
import '@mantine/core/styles/Badge.css';
import classes from '../data.module.css';
import { changeRows } from './change-rows.ts';
import { ChangeTable } from './change-table.tsx';
import type { HistoryAction } from './history-actions.ts';

interface HistoryEntryProps {
  readonly entity: string;
  readonly change: HistoryChange;
  /** Position in the list, from 1. */
  readonly number: number;
  /** The time in the zone and language of the user. */
  readonly time: string;
  readonly actions: readonly HistoryAction[];
  readonly onAction: (action: HistoryAction) => void;
}

const COLORS = { created: 'green', updated: 'blue', deleted: 'red' } as const;

/** One change: who, when, why, and each value before and after. */
export function HistoryEntry({ entity, change, number, time, actions, onAction }: HistoryEntryProps) {
  const { text } = useLanguage();
  const model = useModel();
  const { operation, user, databaseUser, service, client, reason, secrets = [] } = change;
  const who =
    user ?? (databaseUser === undefined ? text('history.nobody') : text('history.database', { name: databaseUser }));
  const by = [
    ...(service === undefined ? [] : [text('history.service', { name: service })]),
    ...(client === undefined ? [] : [text('history.client', { name: client })]),
  ];
  const rows = changeRows(model, entity, change);
  return (
    <Stack component="li" gap="xs" className={classes['change']}>
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <Badge color={COLORS[operation]}>{text(`history.operation.${operation}`)}</Badge>
          <Text size="sm" fw={600}>
            {time}
          </Text>
          <Text size="sm">
            <bdi>{who}</bdi>
          </Text>
          {by.length > 0 && <Text size="xs">{by.join(' · ')}</Text>}
        </Group>
        <Group gap="xs">
          {actions.map((action) => (
            <Button
              key={action}
              size="compact-sm"
              aria-label={text(`history.${action}Of`, { time })}
              onClick={() => onAction(action)}
            >
              {text(`history.${action}`)}
            </Button>
          ))}
        </Group>
      </Group>
      {reason !== undefined && <Text size="sm">{text('history.reason', { reason })}</Text>}
      {rows.length > 0 && <ChangeTable label={text('history.changesOf', { number, time })} rows={rows} />}
      {secrets.length > 0 && (
        <Text size="sm">
          {text('history.secrets', { names: secrets.map((name) => captionOf(model, entity, name)).join(', ') })}
        </Text>
      )}
    </Stack>
  );
}
