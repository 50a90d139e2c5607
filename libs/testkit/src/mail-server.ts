import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  readonly to: readonly string[];
  /** The whole message, quoted-printable decoded. */
  readonly text: string;
}

/** An SMTP server in this process that keeps what it receives, on a free port unless there is one. */
export async function startMailServer(listenPort = 0) {
  const received: ReceivedMail[] = [];
  const refusals = new Map<string, string>();
  let isRefusing = false;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _session, done) =>
      username === 'lintel' && password === 'mail secret' ? done(null, { user: username }) : done(new Error('No')),
    onRcptTo({ address }, _session, done) {
      const refusal = refusals.get(address);
      if (refusal === undefined) return done();
      const { 0: code, index } = /\d+/.exec(refusal) ?? { 0: '550', index: 0 };
      done(Object.assign(new Error(refusal.slice(index + code.length + 1)), { responseCode: Number(code) }));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (isRefusing) return done(new Error('The mailbox of the user is full'));
        received.push({
          to: session.envelope.rcptTo.map(({ address }) => address),
          text: decoded(Buffer.concat(chunks).toString('utf8')),
        });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(listenPort, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    received,
    /** Refuses each message, with a temporary failure. */
    refuse: (isRefused: boolean) => (isRefusing = isRefused),
    /** Refuses a receiver: `550 5.1.1 unknown`; accepts it again without a response. */
    refuseReceiver: (address: string, response?: string) =>
      response === undefined ? refusals.delete(address) : refusals.set(address, response),
    properties: {
      'svc.mail.smtp-host': '127.0.0.1',
      'svc.mail.smtp-port': String(port),
      'svc.mail.encryption': 'none',
      'svc.mail.username': 'lintel',
      'svc.mail.password': 'mail secret',
      'svc.mail.from': 'Lintel <no-reply@lintel.example>',
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

const decoded = (text: string): string =>
  text
    .replace(/=\r?\n/g, '')
    .replace(/(?:=[0-9A-F]{2})+/g, (found) => Buffer.from(found.replaceAll('=', ''), 'hex').toString('utf8'));
