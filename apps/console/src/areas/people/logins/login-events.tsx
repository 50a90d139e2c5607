import { Badge, Button, Group, Select, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useApi, useLanguage, useRights, useText } from '../../../context.ts';
import { TextField } from '../../../controls/forms.tsx';
import { TextLink } from '../../../controls/texts.tsx';
import { Pending } from '../../../errors/pending.tsx';
import { DataTable } from '../../../table/data-table.tsx';
import { type EventFilter, eventParameters } from './event-filter.ts';
import { EVENT_GROUPS, type EventGroup, isAlarming } from './event-types.ts';

interface SecurityEvent {
  readonly id: string;
  readonly at: string;
  readonly type: string;
  readonly username: string | null;
  readonly by: string | null;
  readonly clientId: string | null;
  readonly byClientId: string | null;
  readonly role: string | null;
  readonly address: string | null;
  readonly provider: string | null;
  readonly reason: string | null;
  readonly attributes: readonly string[] | null;
  readonly amount: number | null;
  readonly count: number;
}

interface EventPage {
  readonly events: readonly SecurityEvent[];
  readonly next: string | null;
}

const PAGE = '50';
/** Fields share a row where they fit, and have one each on a phone. */
const GROWING = { flex: '1 1 200px' };

interface LoginEventsProps {
  readonly filter: EventFilter;
  readonly onFilter: (filter: EventFilter) => void;
  /** The list is that of one user. */
  readonly ofUser?: boolean;
}

/** Logins and other security events, the newest first, with a filter. */
export function LoginEvents({ filter, onFilter, ofUser = false }: LoginEventsProps) {
  const text = useText();
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useEvents(filter);
  return (
    <Stack>
      <Filter filter={filter} onFilter={onFilter} ofUser={ofUser} />
      {(error !== null || data === undefined) && <Pending error={error} onRetry={refetch} />}
      {data !== undefined && <EventTable events={data.pages.flatMap(({ events }) => events)} ofUser={ofUser} />}
      {hasNextPage && (
        <Button loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {text('events.more')}
        </Button>
      )}
    </Stack>
  );
}

function useEvents(filter: EventFilter) {
  const api = useApi();
  const [shown] = useDebouncedValue(filter, 200);
  const parameters = eventParameters(shown);
  return useInfiniteQuery({
    queryKey: ['people', 'events', parameters],
    queryFn: ({ pageParam }) =>
      api.get<EventPage>('operations', '/security-events', {
        ...parameters,
        ...(pageParam !== '' && { after: pageParam }),
        limit: PAGE,
      }),
    initialPageParam: '',
    getNextPageParam: ({ next }: EventPage) => next,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

function Filter({ filter, onFilter, ofUser = false }: LoginEventsProps) {
  const text = useText();
  const change = (part: EventFilter): void => onFilter({ ...filter, ...part });
  return (
    <Group align="flex-end">
      {(ofUser ? (['client', 'role'] as const) : (['user', 'client', 'role'] as const)).map((name) => (
        <TextField
          key={name}
          style={GROWING}
          label={text(`events.${name}`)}
          value={filter[name] ?? ''}
          maxLength={255}
          onChange={(value) => change({ [name]: value || undefined })}
        />
      ))}
      <Select
        label={text('events.kind')}
        placeholder={text('events.all')}
        clearable
        searchable
        style={GROWING}
        value={filter.kind ?? null}
        data={Object.entries(EVENT_GROUPS).map(([group, types]) => ({
          group: text(`events.group.${group}`),
          items: [
            { value: group, label: text(`events.allOf.${group as EventGroup}`) },
            ...types.map((type) => ({ value: type as string, label: text(`event.${type}`) })),
          ],
        }))}
        onChange={(kind) => change({ kind: kind ?? undefined })}
      />
      {(['from', 'to'] as const).map((name) => (
        <TextField
          key={name}
          style={GROWING}
          type="datetime-local"
          label={text(`events.${name}`)}
          value={filter[name] ?? ''}
          onChange={(value) => change({ [name]: value || undefined })}
        />
      ))}
    </Group>
  );
}

function EventTable({ events, ofUser }: { readonly events: readonly SecurityEvent[]; readonly ofUser: boolean }) {
  const { text, locale, texts } = useLanguage();
  const mayRead = useRights().may('sec_User', 'read');
  const captionOf = (key: string, otherwise: string): string => (texts[key] === undefined ? otherwise : text(key));
  const user = {
    caption: text('events.user'),
    cell: ({ username }: SecurityEvent) =>
      username !== null && mayRead ? (
        <TextLink to={`/people/users/${encodeURIComponent(username)}`}>{username}</TextLink>
      ) : (
        username
      ),
  };
  const detailsOf = (event: SecurityEvent): readonly string[] => {
    const { reason, provider, by, byClientId, role, attributes, amount, count } = event;
    return [
      ...(role === null ? [] : [role]),
      ...(reason === null ? [] : [captionOf(`reason.${reason}`, reason)]),
      ...(provider === null ? [] : [text('events.provider', { name: provider })]),
      ...(by === null ? [] : [text('events.by', { name: by })]),
      ...(byClientId === null ? [] : [text('events.with', { name: byClientId })]),
      ...(attributes === null ? [] : [attributes.join(', ')]),
      ...(amount === null ? [] : [text('events.amount', { count: amount })]),
      ...(count === 1 ? [] : [text('events.count', { count })]),
    ];
  };
  return (
    <DataTable
      label={text('people.logins')}
      rows={events}
      empty={text('events.none')}
      columns={[
        { caption: text('history.at'), cell: ({ at }) => secondsOf(at, locale) },
        {
          caption: text('events.event'),
          cell: ({ type }) => (
            <Badge color={isAlarming(type) ? 'red' : 'green'}>{captionOf(`event.${type}`, type)}</Badge>
          ),
        },
        ...(ofUser ? [] : [user]),
        { caption: text('sessions.client'), cell: ({ clientId }) => clientId },
        { caption: text('history.address'), cell: ({ address }) => address },
        { caption: text('events.details'), cell: (event) => <Text size="sm">{detailsOf(event).join(' · ')}</Text> },
      ]}
    />
  );
}

/** Attempts follow one another within seconds. */
const secondsOf = (time: string, locale: string): string =>
  new Date(time).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'medium' });
