import { Accordion, Stack, Text, Title } from '@mantine/core';
import { formatTime, useLanguage } from '../../../context.ts';
import { Pending } from '../../../errors/pending.tsx';
import { useRead } from '../../../requests/use-read.ts';
import classes from '../running.module.css';

/** A mail that is shown instead of being sent. */
interface ShownMail {
  readonly id: string;
  readonly sentAt: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string | null;
  readonly attachments: readonly { readonly name: string; readonly size: number }[];
}

const INTERVAL_MS = 5_000;

/** The mails of an application that runs in one process without an SMTP server, the newest first. */
export function MailboxPage() {
  const { text, locale } = useLanguage();
  const { data, error, refetch } = useRead<readonly ShownMail[]>(['mailbox'], 'operations', '/mailbox', {
    staleTime: 0,
    refetchInterval: INTERVAL_MS,
  });
  if (error !== null || data === undefined) return <Pending error={error} onRetry={refetch} />;
  return (
    <Stack>
      <Title order={1}>{text('running.mailbox')}</Title>
      {data.length === 0 && <Text>{text('mailbox.none')}</Text>}
      <Accordion>
        {data.map((mail) => (
          <Accordion.Item key={mail.id} value={mail.id}>
            <Accordion.Control>
              <Text fw={600}>{mail.subject}</Text>
              <Text size="sm" c="dimmed">
                {mail.to} · {formatTime(mail.sentAt, locale)}
              </Text>
            </Accordion.Control>
            <Accordion.Panel>
              <Content mail={mail} />
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </Stack>
  );
}

function Content({ mail: { subject, text: plain, html, attachments } }: { readonly mail: ShownMail }) {
  const { text } = useLanguage();
  return (
    <Stack>
      <Text className={classes['mail']}>{plain}</Text>
      {html !== null && <iframe srcDoc={html} sandbox="" title={subject} className={classes['page']} />}
      {attachments.length > 0 && (
        <Text size="sm">
          {text('mailbox.attachments')}: {attachments.map(({ name }) => name).join(', ')}
        </Text>
      )}
    </Stack>
  );
}
