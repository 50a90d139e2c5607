import { type JobDefinition, job, type MailDefinition } from '@lintel/application';
import { MAIL_JOB, type QueuedMail } from '@lintel/entities';
import { isPlatformError, StartError } from '@lintel/errors';
import { createMailer, type Mail, type ParsedMail, parseMail, permanentFailure } from '@lintel/mail';
import { formatMessage } from '@lintel/metadata';
import { type MailState, pruneMails, readMailState, recordMail } from '@lintel/persistence';
import type { ReadDependencies } from '@lintel/reading';
import type { DataConfig } from '../config.ts';
import type { DataPorts } from '../ports.ts';

interface MailEngine {
  readonly ports: DataPorts;
  readonly config: DataConfig;
  readonly read: ReadDependencies;
}

/** The job that sends the mails of the application, which none can be without. */
export const mailJobs = (engine: MailEngine): readonly JobDefinition[] =>
  (engine.ports.application.mails ?? []).length === 0 ? [] : [createMailJob(engine)];

/** The log is kept for so many days. */
const KEPT_DAYS = 365;

/** @throws ConfigurationError without an address that mails are from */
function createMailJob(engine: MailEngine): JobDefinition {
  const { database, application, mailbox, logger } = engine.ports;
  const mailer = createMailer(engine.config.mail);
  const send = mailer?.send ?? mailbox?.send ?? noServer;
  const texts = new Map((application.mails ?? []).map(({ name, options }) => [name, parsedOnce(options)]));
  const end = async (id: string, state: MailState, error: string | null = null): Promise<void> => {
    if (error !== null) logger.warn({ mail: id, state, reason: error }, 'a mail was not sent');
    await recordMail(database, id, state, error);
    await pruneMails(database, KEPT_DAYS);
  };
  return job<Partial<QueuedMail>>(MAIL_JOB.name, MAIL_JOB.options, async ({ args, run }) => {
    const logged = await readMailState(database, run.id);
    if (logged === undefined || !['queued', 'failed'].includes(logged.state)) return;
    if (logged.suppressed) return end(run.id, 'suppressed');
    let mail: Mail;
    try {
      mail = await composed(args as QueuedMail, texts.get(args.name ?? ''), engine);
    } catch (error) {
      if (isPlatformError(error) && error.retryable) throw error;
      return end(run.id, 'failed', maskedText(error));
    }
    try {
      await send({ ...mail, id: run.id });
    } catch (error) {
      const failure = permanentFailure(error);
      const isLast = failure !== undefined || run.attempt > MAIL_JOB.options.retries;
      await end(run.id, failure === 'bounced' ? 'bounced' : isLast ? 'failed' : 'queued', maskedText(error));
      if (failure !== undefined) return;
      throw new Error(maskedText(error));
    }
    await end(run.id, mailer === undefined ? 'shown' : 'sent');
  });
}

const noServer = async (): Promise<never> => {
  throw new Error('svc.mail.smtp-host is not set');
};

const parsedOnce = (options: MailDefinition['options']): (() => Promise<ParsedMail>) => {
  let parsing: Promise<ParsedMail> | undefined;
  return () => (parsing ??= parseMail(options));
};

async function composed(
  { name, to, data, locale, attachments }: QueuedMail,
  texts: (() => Promise<ParsedMail>) | undefined,
  { ports, read }: MailEngine,
): Promise<Mail> {
  if (texts === undefined) throw new Error(`The application has no mail ${name}`);
  const messages = read.currentMessages();
  const rendered = await (await texts()).render({
    data,
    locale,
    message: (key, parameters, of) => formatMessage(messages.find(key, of) ?? key, parameters, of),
  });
  const files = attachments.map(async (each) => ({
    name: each.name,
    content: 'base64' in each ? Buffer.from(each.base64, 'base64') : await contentOf(each.fileRef, ports),
  }));
  return { to, ...rendered, attachments: await Promise.all(files) };
}

/** @throws Error if there is no such file, FILE_STORAGE_UNAVAILABLE */
async function contentOf(fileRef: string, { storedFiles }: Pick<MailEngine['ports'], 'storedFiles'>) {
  const content = await storedFiles?.read(fileRef);
  if (content === undefined) throw new Error('A file of the mail does not exist');
  return content;
}

/** Addresses of receivers are in no log. */
const maskedText = (error: unknown): string => String((error as Error).message).replace(/[^\s<>]+@(?=[^\s<>]+)/g, '…@');

/**
 * Checks what a mail needs before the first one is sent.
 *
 * @throws StartError for a template that cannot be parsed
 */
export async function assertMails({ ports, config }: MailEngine): Promise<void> {
  const { application, mailbox, logger } = ports;
  const { mails = [] } = application;
  for (const { name, options } of mails)
    await parseMail(options).catch((error: Error) => {
      throw new StartError(`Mail ${name}: ${error.message}`);
    });
  if (mails.length === 0 || config.mail.host !== undefined) return;
  const effect = mailbox === undefined ? 'mails wait' : 'mails are shown in the console instead of being sent';
  logger.warn({}, `${effect}: svc.mail.smtp-host is not set`);
}
