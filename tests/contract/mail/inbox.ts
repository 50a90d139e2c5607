import { eventually } from '@lintel/testkit';
import { startMailServer } from '@lintel/testkit/mail-server';
import { as } from '../api.ts';

/** A mail as its receiver gets it: sent to the server of the tests, or shown by a process without a server. */
export interface SeenMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string | null;
  readonly unsubscribe: string | null;
  /** Names. */
  readonly attachments: readonly string[];
}

const port = process.env['LINTEL_MAIL_PORT'];

/** The SMTP server of the system, for five processes; one process has none. */
export type MailServer = Awaited<ReturnType<typeof startMailServer>>;

export interface Inbox {
  readonly server: MailServer | undefined;
  /** The mails to an address so far. */
  to(address: string): Promise<readonly SeenMail[]>;
  /** Waits until the log has the state of the mail to an address, and returns its entry. */
  logged(address: string, state: string): Promise<Readonly<Record<string, unknown>>>;
  close(): Promise<void>;
}

export async function openInbox(): Promise<Inbox> {
  const server = port === undefined ? undefined : await startMailServer(Number(port));
  return {
    server,
    to: async (address) => (server === undefined ? shownTo(address) : receivedBy(server, address)),
    logged: (address, state) =>
      eventually(async () => {
        const [entry] = await logOf(address);
        expect(entry).toMatchObject({ recipient: address, state });
        return entry ?? {};
      }),
    close: async () => server?.close(),
  };
}

/** The log of the mails to an address, the newest first. */
export async function logOf(address: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const filter = { conditions: [{ property: 'recipient', operator: '=', value: address }] };
  const response = await as('admin', 'POST', '/entities/sys_Mail/search', { body: { filter, sort: '-queuedAt' } });
  expect(response.status).toBe(200);
  return response.json();
}

/** The state of mails that were delivered: to a server, or to the mailbox. */
export const DELIVERED = port === undefined ? 'shown' : 'sent';

async function shownTo(address: string): Promise<readonly SeenMail[]> {
  const mails = (await as('admin', 'GET', '/operations/mailbox')).json();
  return mails
    .filter(({ to }: { to: string }) => to === address)
    .map((mail: Omit<SeenMail, 'attachments'> & { attachments: readonly { name: string }[] }) => ({
      ...mail,
      attachments: mail.attachments.map(({ name }) => name),
    }));
}

const receivedBy = ({ received }: MailServer, address: string): readonly SeenMail[] =>
  received
    .filter(({ to }) => to.includes(address))
    .map(({ text }) => {
      const message = text.replace(/\r?\n[ \t]+/g, ' ');
      const headerOf = (name: string) => new RegExp(`^${name}: <?(.*?)>?\\r?$`, 'm').exec(message)?.[1] ?? null;
      const part = (type: string) =>
        new RegExp(`Content-Type: ${type}[^]*?\\r?\\n\\r?\\n([^]*?)(?=\\r?\\n--)`).exec(message)?.[1] ?? null;
      return {
        subject: headerOf('Subject') ?? '',
        text: part('text/plain') ?? message,
        html: part('text/html'),
        unsubscribe: headerOf('List-Unsubscribe'),
        attachments: [...message.matchAll(/^Content-Disposition: attachment; filename="?([^"\r\n]+)"?/gm)].map(
          ([, name = '']) => name,
        ),
      };
    });
