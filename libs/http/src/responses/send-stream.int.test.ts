import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { sendStream } from './send-stream.ts';

const PIECES = 50;
const PIECE_BYTES = 1 << 20;

/** Collects garbage, which every process can do that asks for it. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}

test('pieces that were sent are freed before the response ends', async () => {
  const sent: WeakRef<Uint8Array>[] = [];
  let kept = PIECES;
  async function* content() {
    for (let at = 0; at < PIECES; at += 1) {
      const piece = new Uint8Array(PIECE_BYTES);
      sent.push(new WeakRef(piece));
      yield piece;
    }
    // References stay alive until the end of the turn in which they were made.
    await turn();
    collectGarbage();
    kept = sent.filter((piece) => piece.deref() !== undefined).length;
  }
  const server = createServer((_request, response) => void sendStream(response, content()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    expect((await response.arrayBuffer()).byteLength).toBe(PIECES * PIECE_BYTES);
    expect(kept).toBeLessThan(PIECES / 2);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
});
