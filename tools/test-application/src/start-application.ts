import { randomUUID } from 'node:crypto';
import { type ApplicationData, isEvent } from '@lintel/application';
import type { Envelope } from '@lintel/contracts';
import { demoUsers, type RunningServices } from '@lintel/standalone';
import { createLogger, type Logger } from '@lintel/telemetry';
import { type Captured, Captures } from './captures.ts';
import { replaceDate } from './moved-date.ts';
import { type ApplicationStarter, CLIENT_ID, createStarter, type StartTestOptions } from './running-application.ts';
import { createClient, type TestClient } from './test-client.ts';
import { startTestDatabases, type TestDatabases } from './test-databases.ts';
import { createUsers, type NewUser, type TestUsers } from './test-users.ts';
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.ts';

const TEMPLATE = 'lintel_template';
const MS = { days: 86_400_000, hours: 3_600_000, minutes: 60_000, seconds: 1_000 } as const;

/** A length of time: the sum of its members. */
export type Duration = Partial<Readonly<Record<keyof typeof MS, number>>>;

/** An event that a service has published; see the reference of events. */
export interface CapturedEvent extends Omit<Envelope, 'data'> {
  /** What has happened, in the form of the type. */
  // biome-ignore lint/suspicious/noExplicitAny: the type of the event decides its form
  readonly data: any;
}

/** An event of another application. */
export interface ReceivedEvent {
  readonly source: string;
  readonly type: string;
  readonly subject: string;
  readonly data: unknown;
  /** A new one by default: an event with the same `source` and id is handled once. */
  readonly id?: string;
}

/** An attempt of a run of a job. */
export interface TriedJob {
  readonly job: string;
  readonly id: string;
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** The kind of the error; the log has the error itself. Absent if the run has ended. */
  readonly error?: string;
}

/** An attempt of a handler to handle an event. */
export interface TriedEvent {
  readonly handler: string;
  readonly type: string;
  readonly subject: string;
  /** 1 for the first attempt; 0 if an earlier event of the subject waits for its next attempt. */
  readonly attempt: number;
  /** The kind of the error; the log has the error itself. Absent if the event is handled. */
  readonly error?: string;
}

/** A mail that would have been sent. */
export interface CapturedMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string | undefined;
  readonly unsubscribe?: string | undefined;
  readonly attachments?: readonly { readonly name: string; readonly content: Uint8Array }[];
}

/** What a webhook sends; see the guide on webhooks. */
export interface NewWebhook {
  /** Name of the entity whose changes are sent. */
  readonly entityName: string;
  /** Some of `created,updated,deleted`; all by default. */
  readonly changes?: string;
  /** Name of the user who owns it. */
  readonly owner: string;
  /** Only changes of the instances that match, in the form of filters of the API. */
  readonly filter?: object;
}

/** An application that runs in the process of its tests. */
export interface TestApplication extends AsyncDisposable {
  /** Address of the gateway. */
  readonly url: string;
  /**
   * Sends requests as a user, by a token that the auth service has issued. Where the password is not that of the demo
   * data, the user gets another one.
   */
  as(username: string): TestClient;
  /** Sends requests without a token. */
  readonly anonymous: TestClient;
  /** Adds a user with roles. Returns its client. @throws PlatformError if a value is not valid */
  addUser(user: NewUser): Promise<TestClient>;
  /** An access token of a user, for clients of your own. @throws Error if there is no such user, or if it is inactive */
  tokenOf(username: string): Promise<string>;
  /** Reads and writes by the rules of the model, with all rights and without a caller. */
  readonly data: ApplicationData;
  /** The events that the services have published since the last reset. */
  readonly events: Captured<CapturedEvent>;
  /** Adds a webhook whose receiver is this process. */
  addWebhook(webhook: NewWebhook): Promise<WebhookReceiver>;
  /**
   * Moves the time: `new Date()` and `Date.now()` of this process, and `now()`, `CURRENT_DATE` and macros of filters and
   * queries. Tokens expire by it, and dates of creation have it. Then the jobs run that are due by it, each scheduled
   * one once. Timers and the SQL of reports do not follow.
   */
  travel(duration: Duration): Promise<void>;
  /** Runs the jobs that are due, one after the other, and what they queue. Returns their attempts. */
  jobs(): Promise<readonly TriedJob[]>;
  /**
   * Receives an event of another application; `handled` calls its handlers.
   *
   * @throws Error if no handler is for an event with this source and type
   */
  receive(event: ReceivedEvent): Promise<void>;
  /** Lets the event handlers handle what is published, and what they publish. Returns their attempts. */
  handled(): Promise<readonly TriedEvent[]>;
  /** The mails since the last reset, in their order; those that wait are sent first. */
  mails(): Promise<readonly CapturedMail[]>;
  /** Gives the database the state of the start: migrations and demo data. The time is the real one again. */
  reset(): Promise<void>;
  /** Stops the services and the database, and removes all data. */
  stop(): Promise<void>;
}

/**
 * Starts an application in this process, with a PostgreSQL server of its own and, unless `demo` is false, the demo data.
 *
 * @throws what `lintel start` would print: ConfigurationError, MigrationError, StartError …
 */
export async function startApplication(options: StartTestOptions = {}): Promise<TestApplication> {
  const logger = withoutSecurityEvents(
    createLogger({ service: 'test', level: options.logLevel ?? 'error', pretty: true }),
  );
  const databases = await startTestDatabases(logger);
  try {
    const starter = await createStarter(databases, logger, options);
    await createTemplate(databases, starter);
    const application = new StartedApplication(databases, starter);
    await application.start();
    return application;
  } catch (error) {
    await databases.stop();
    throw error;
  }
}

/** Their lines have every level, and each login would be one. */
const withoutSecurityEvents = (logger: Logger): Logger => {
  const { child } = logger;
  return Object.assign(logger, { child: (fields: object) => withoutSecurityEvents(child.call(logger, fields)) });
};

/** All tests begin with what the first start makes of an empty database. */
async function createTemplate(databases: TestDatabases, starter: ApplicationStarter): Promise<void> {
  await databases.create(TEMPLATE);
  const first = await starter.start(TEMPLATE, () => {});
  await databases.eventsPublished(TEMPLATE);
  await first.close();
  await databases.addClock(TEMPLATE);
}

class StartedApplication implements TestApplication {
  readonly #databases: TestDatabases;
  readonly #starter: ApplicationStarter;
  readonly #date = replaceDate();
  readonly #captures = new Captures<CapturedEvent>('event');
  readonly #receivers = new Set<WebhookReceiver>();
  #started = 0;
  #running: RunningServices | undefined;
  #users: TestUsers | undefined;
  readonly anonymous: TestClient;

  constructor(databases: TestDatabases, starter: ApplicationStarter) {
    this.#databases = databases;
    this.#starter = starter;
    this.anonymous = createClient(
      () => this.#restUrl(),
      async () => undefined,
    );
  }

  get url(): string {
    return this.#starter.url;
  }

  get events(): Captured<CapturedEvent> {
    return this.#captures;
  }

  get data(): ApplicationData {
    return this.#current().data;
  }

  async start(): Promise<void> {
    this.#started += 1;
    await this.#databases.create(this.#database(), TEMPLATE);
    const running = await this.#starter.start(this.#database(), (event) => this.#captures.add(event));
    this.#running = running;
    const { clientSecret } = this.#starter;
    this.#users = createUsers({
      data: running.data,
      url: this.url,
      client: `${CLIENT_ID}:${clientSecret}`,
      namedPasswords: running.isDemo ? demoUsers(running.application) : [],
    });
  }

  as(username: string): TestClient {
    return createClient(
      () => this.#restUrl(),
      () => this.tokenOf(username),
    );
  }

  async addUser(user: NewUser): Promise<TestClient> {
    await this.#usersNow().add(user);
    return this.as(user.username);
  }

  tokenOf(username: string): Promise<string> {
    return this.#usersNow().tokenOf(username);
  }

  async addWebhook({ filter, ...webhook }: NewWebhook): Promise<WebhookReceiver> {
    const receiver = await startWebhookReceiver();
    this.#receivers.add(receiver);
    const { url, secret } = receiver;
    await this.data.create('sys_Webhook', {
      name: `Test of ${webhook.entityName}`,
      url,
      secret,
      ...webhook,
      ...(filter !== undefined && { filter: JSON.stringify(filter) }),
    });
    return receiver;
  }

  async travel(duration: Duration): Promise<void> {
    const running = this.#current();
    const from = new Date();
    const units = Object.keys(duration) as (keyof Duration)[];
    this.#date.move(units.reduce((sum, unit) => sum + (duration[unit] ?? 0) * MS[unit], 0));
    await this.#databases.setClock(this.#database(), this.#date.movedMs());
    // Those of the former time may have expired.
    this.#usersNow().forgetTokens();
    await running.runDueJobs({ passed: { from, to: new Date() } });
  }

  jobs(): Promise<readonly TriedJob[]> {
    return this.#current().runDueJobs({});
  }

  async receive({ id = randomUUID(), source, type, subject, data }: ReceivedEvent): Promise<void> {
    const { eventHandlers = [] } = this.#current().application;
    const isKnown = eventHandlers.some(
      ({ on }) => isEvent(on) && on.source === source && (on.type === type || on.upcasts?.[type] !== undefined),
    );
    if (!isKnown) throw new Error(`No handler is for events ${type} of ${source}`);
    const time = new Date().toISOString();
    const envelope = { specversion: '1.0', id, source, type, subject, time, datacontenttype: 'application/json', data };
    await this.#databases.receive(this.#database(), JSON.stringify(envelope));
  }

  async handled(): Promise<readonly TriedEvent[]> {
    const tried: TriedEvent[] = [];
    for (let before = -1; before < tried.length; ) {
      before = tried.length;
      await this.#databases.eventsPublished(this.#database());
      tried.push(...(await this.#current().handleEvents()));
    }
    return tried;
  }

  async mails(): Promise<readonly CapturedMail[]> {
    const { runDueJobs, mailbox } = this.#current();
    await runDueJobs({ jobs: ['lintel.mail'] });
    return mailbox.list().toReversed();
  }

  async reset(): Promise<void> {
    this.#current();
    const former = this.#database();
    await this.#close();
    await this.#databases.drop(former);
    this.#captures.clear();
    await this.start();
  }

  async stop(): Promise<void> {
    if (this.#running === undefined) return;
    await this.#close();
    this.#date.end();
    await this.#databases.stop();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #close(): Promise<void> {
    const running = this.#current();
    this.#running = undefined;
    this.#users = undefined;
    await running.close();
    await Promise.all([...this.#receivers].map((receiver) => receiver.close()));
    this.#receivers.clear();
    this.#date.move(-this.#date.movedMs());
  }

  #database(): string {
    return `test_${this.#started}`;
  }

  #restUrl(): string {
    return `${this.url}${this.#current().paths.rest}`;
  }

  #usersNow(): TestUsers {
    this.#current();
    return this.#users as TestUsers;
  }

  #current(): RunningServices {
    if (this.#running === undefined) throw new Error('The application has been stopped, or is being reset');
    return this.#running;
  }
}
