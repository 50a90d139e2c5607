import { createServer } from 'node:net';

/** Each command succeeds, and there are no keys. */
const RESPONSES = {
  INFO: bulk('loading:0\r\n'),
  PING: '+PONG\r\n',
  GET: '$-1\r\n',
  SMEMBERS: '*0\r\n',
  MGET: '*0\r\n',
};

/** A server that speaks the protocol of Redis and keeps nothing. */
export function createEmptyRedis() {
  return createServer((socket) => {
    let rest = '';
    socket.on('data', (data) => {
      const { commands, left } = commandsOf(rest + data.toString('latin1'));
      rest = left;
      for (const [name] of commands) socket.write(RESPONSES[name.toUpperCase()] ?? '+OK\r\n');
    });
    socket.on('error', () => {});
  });
}

/** Complete commands, each as an array of texts, and the text of an incomplete one. */
function commandsOf(text) {
  const commands = [];
  let left = text;
  for (;;) {
    const head = /^\*(\d+)\r\n/.exec(left);
    if (head === null) return { commands, left };
    let at = head[0].length;
    const words = [];
    for (let index = 0; index < Number(head[1]); index += 1) {
      const size = /^\$(\d+)\r\n/.exec(left.slice(at));
      const to = at + (size?.[0].length ?? 0) + Number(size?.[1]) + 2;
      if (size === null || left.length < to) return { commands, left };
      words.push(left.slice(at + size[0].length, to - 2));
      at = to;
    }
    commands.push(words);
    left = left.slice(at);
  }
}

function bulk(text) {
  return `$${text.length}\r\n${text}\r\n`;
}
