import { connect } from 'node:net';

type Reply = string | number | null | readonly Reply[];

/** Longest silence of a server. */
const TIMEOUT_MS = 5_000;

/**
 * Sends one command to a Redis on a loopback port and returns its reply.
 *
 * @throws Error with the error of the server, or where it does not respond
 */
export function askRedis(
  { port, password }: { readonly port: number; readonly password?: string },
  ...words: readonly (string | number)[]
): Promise<Reply> {
  const commands = password === undefined ? [words] : [['AUTH', password], words];
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port });
    let received = '';
    const end = (settle: () => void): void => {
      socket.destroy();
      settle();
    };
    socket.setTimeout(TIMEOUT_MS, () =>
      end(() => reject(new Error(`Redis on ${port} does not respond to ${words[0]}`))),
    );
    socket.once('error', (error) => end(() => reject(error)));
    socket.once('close', () => reject(new Error(`Redis on ${port} closed the connection`)));
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1');
      const replies = parseAll(received);
      const reply = replies.find((one) => one instanceof Error) ?? replies[commands.length - 1];
      if (reply !== undefined) end(() => (reply instanceof Error ? reject(reply) : resolve(reply)));
    });
    socket.write(commands.map(encode).join(''));
  });
}

function encode(words: readonly (string | number)[]): string {
  const parts = words.map(String).map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`);
  return `*${words.length}\r\n${parts.join('')}`;
}

function parseAll(text: string): readonly (Reply | Error)[] {
  const replies: (Reply | Error)[] = [];
  for (let next = parse(text, 0); next !== undefined; next = parse(text, next.end)) replies.push(next.reply);
  return replies;
}

/** A reply that begins at an offset, and its end; undefined where it is incomplete. */
function parse(text: string, at: number): { readonly reply: Reply | Error; readonly end: number } | undefined {
  const lineEnd = text.indexOf('\r\n', at);
  if (lineEnd < 0) return undefined;
  const line = text.slice(at + 1, lineEnd);
  const next = lineEnd + 2;
  switch (text[at]) {
    case '+':
      return { reply: line, end: next };
    case '-':
      return { reply: new Error(line), end: next };
    case ':':
      return { reply: Number(line), end: next };
    case '$':
      return bulk(text, next, Number(line));
    default:
      return list(text, next, Number(line));
  }
}

function bulk(text: string, at: number, length: number) {
  if (length < 0) return { reply: null, end: at };
  const end = at + length + 2;
  return text.length < end ? undefined : { reply: text.slice(at, at + length), end };
}

function list(text: string, at: number, length: number) {
  const replies: Reply[] = [];
  let end = at;
  while (replies.length < length) {
    const item = parse(text, end);
    if (item === undefined) return undefined;
    replies.push(item.reply instanceof Error ? item.reply.message : item.reply);
    end = item.end;
  }
  return { reply: replies, end };
}
