import { idSegment } from '@lintel/react';
import { ActionIcon, Button, Group, Popover, Stack, Text, UnstyledButton } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { formatTime, useApi, useLanguage } from '../context.ts';
import { Hint } from '../controls/texts.tsx';
import { useAction } from '../requests/use-action.ts';
import { useRead } from '../requests/use-read.ts';
import classes from './notifications.module.css';

interface Notification {
  readonly id: string;
  readonly createdAt: string;
  readonly readAt: string | null;
  readonly title: string;
  readonly text: string | null;
  readonly link:
    | { readonly type: 'entity'; readonly entityName: string; readonly id: unknown }
    | { readonly type: 'report-run' | 'service-run'; readonly id: string }
    | null;
}

const KEY = ['notifications'];
const INTERVAL_MS = 60_000;
/** The server counts no more. */
const MAX_COUNTED = 99;

/** A bell with the number of unread notifications, which opens their list; nothing for users who have none. */
export function NotificationsButton() {
  const { text, locale } = useLanguage();
  const api = useApi();
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const { data } = useRead<{ readonly unread: number; readonly notifications: readonly Notification[] }>(
    KEY,
    'userSession',
    '/notifications',
    { refetchInterval: INTERVAL_MS, retry: false },
  );
  const { mutate: read } = useAction(
    (ids?: readonly string[]) => api.send('POST', 'userSession', '/notifications/read', { ids }),
    {
      reads: [KEY],
    },
  );
  if (data === undefined) return <span className={classes['waiting']} />;
  const { unread, notifications } = data;
  const open = ({ id, readAt, link }: Notification): void => {
    if (readAt === null) read([id]);
    if (link === null) return;
    setOpen(false);
    void navigate({ to: pathOf(link) });
  };
  const shownCount = unread > MAX_COUNTED ? `${MAX_COUNTED}+` : String(unread);
  return (
    <span className={classes['bell']} data-count={unread === 0 ? undefined : shownCount}>
      <Popover
        opened={isOpen}
        onChange={setOpen}
        position="bottom-end"
        width={340}
        withinPortal={false}
        shadow="md"
        trapFocus
        returnFocus
        transitionProps={{ duration: 0 }}
      >
        <Popover.Target>
          <ActionIcon
            size={34}
            aria-label={text('notifications.open', { count: unread })}
            onClick={() => setOpen(!isOpen)}
          >
            <IconBell size={18} />
          </ActionIcon>
        </Popover.Target>
        <Popover.Dropdown aria-label={text('notifications.title')} p={0}>
          <Group justify="space-between" p="xs" mih={46} wrap="nowrap">
            <Text fw={600} size="sm">
              {text('notifications.title')}
            </Text>
            {unread > 0 && (
              <Button size="compact-xs" variant="subtle" onClick={() => read(undefined)}>
                {text('notifications.readAll')}
              </Button>
            )}
          </Group>
          <Stack gap={0} className={classes['list']} component="ul">
            {notifications.map((each) => (
              <li key={each.id}>
                <UnstyledButton
                  className={classes['item']}
                  data-unread={each.readAt === null}
                  onClick={() => open(each)}
                >
                  <Text size="sm" fw={each.readAt === null ? 600 : 400}>
                    {each.title}
                  </Text>
                  {each.text !== null && <Text size="xs">{each.text}</Text>}
                  <Hint>{formatTime(each.createdAt, locale)}</Hint>
                </UnstyledButton>
              </li>
            ))}
          </Stack>
          {notifications.length === 0 && (
            <Text size="sm" c="dimmed" p="xs">
              {text('notifications.none')}
            </Text>
          )}
        </Popover.Dropdown>
      </Popover>
    </span>
  );
}

function pathOf(link: NonNullable<Notification['link']>): string {
  if (link.type === 'entity') {
    const list = link.entityName === 'sys_ReportDelivery' ? '/reports/deliveries' : `/data/${link.entityName}`;
    return `${list}/${encodeURIComponent(idSegment(link.id))}`;
  }
  return link.type === 'report-run' ? '/reports/runs' : '/calls/runs';
}
