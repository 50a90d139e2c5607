import { createServer } from 'node:net';

const [METHOD, HEARTBEAT, END] = [1, 8, 0xce];
const PROTOCOL_HEADER_BYTES = 8;
const FRAME_BYTES = 8;
/** Version, properties, mechanisms and locales of `connection.start`. */
const START = Buffer.concat([Buffer.of(0, 9), int32(0), longText('PLAIN AMQPLAIN'), longText('en_US')]);
/** Unlimited channels, frames of 128 KiB, no heartbeats. */
const TUNE = Buffer.concat([int16(0), int32(131_072), int16(0)]);
/** What the responses to these methods contain, by class and method; those of all others are empty. */
const CONTENTS = {
  '10.40': shortText(''),
  '20.10': longText(''),
  '50.10': Buffer.concat([shortText('queue'), int32(0), int32(0)]),
  '60.20': shortText('consumer'),
};
/** Methods that have no response: `tune-ok`, publish, acknowledgements. */
const SILENT = new Set(['10.31', '60.40', '60.80', '60.90', '60.120', '10.51', '20.41']);

/** A server that speaks AMQP 0-9-1 and delivers nothing: each declaration succeeds. */
export function createEmptyBroker() {
  return createServer((socket) => {
    let rest = Buffer.alloc(0);
    let isStarted = false;
    socket.on('data', (data) => {
      rest = Buffer.concat([rest, data]);
      if (!isStarted) {
        if (rest.length < PROTOCOL_HEADER_BYTES) return;
        isStarted = true;
        rest = rest.subarray(PROTOCOL_HEADER_BYTES);
        socket.write(frame(0, 10, 10, START));
      }
      while (rest.length >= FRAME_BYTES && rest.length >= FRAME_BYTES + rest.readUInt32BE(3)) {
        const size = FRAME_BYTES + rest.readUInt32BE(3);
        const response = responseTo(rest.subarray(0, size));
        if (response !== undefined) socket.write(response);
        rest = rest.subarray(size);
      }
    });
    socket.on('error', () => {});
  });
}

function responseTo(given) {
  if (given[0] === HEARTBEAT) return Buffer.from(given);
  if (given[0] !== METHOD) return undefined;
  const [channel, kind, method] = [given.readUInt16BE(1), given.readUInt16BE(7), given.readUInt16BE(9)];
  const name = `${kind}.${method}`;
  if (name === '10.11') return frame(channel, 10, 30, TUNE);
  if (SILENT.has(name)) return undefined;
  // The response of a method has the next number, except that of `queue.unbind`.
  return frame(channel, kind, method + 1, CONTENTS[name] ?? Buffer.alloc(0));
}

function frame(channel, kind, method, content) {
  const payload = Buffer.concat([int16(kind), int16(method), content]);
  return Buffer.concat([Buffer.of(METHOD), int16(channel), int32(payload.length), payload, Buffer.of(END)]);
}

function shortText(text) {
  return Buffer.concat([Buffer.of(text.length), Buffer.from(text)]);
}

function longText(text) {
  return Buffer.concat([int32(text.length), Buffer.from(text)]);
}

function int16(value) {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

function int32(value) {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
