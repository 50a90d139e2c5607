import { useLanguage } from '../../../context.ts';
import { TextLink } from '../../../controls/texts.tsx';
import { useRead } from '../../../requests/use-read.ts';
import '@mantine/core/styles/Badge.css';
import { Badge, Group, Stack, Title } from '@mantine/core';

/** The numbers of `GET /operations/tasks`, and the pages that show what is counted. */
const PAGES = {
  failedRuns: '/running/jobs',
  deadLetters: '/running/dead-letters',
  waitingReports: '/running/health',
} as const;

/** Work that waits for the user as an operator; nothing where there is none. */
export function Tasks() {
  const { text, locale } = useLanguage();
  const { data = {} } = useRead<Partial<Record<string, number>>>(['tasks'], 'operations', '/tasks', {
    retry: false,
    staleTime: 0,
  });
  const shown = Object.entries(PAGES).filter(([name]) => (data[name] ?? 0) > 0);
  if (shown.length === 0) return null;
  return (
    <Stack gap="xs" component="section" aria-label={text('tasks.title')}>
      <Title order={2}>{text('tasks.title')}</Title>
      {shown.map(([name, to]) => (
        <Group key={name} gap="xs">
          <Badge color="red" variant="filled" miw={36}>
            {data[name]?.toLocaleString(locale)}
          </Badge>
          <TextLink to={to}>{text(`tasks.${name}`)}</TextLink>
        </Group>
      ))}
    </Stack>
  );
}
