import type { Socket } from 'node:net';

/** Calls back once bytes can be sent, at once where they can already; never, where no connection comes to be. */
export function whenConnected(socket: Socket, callback: () => void): void {
  const isPending = socket.connecting || ('secureConnecting' in socket && socket.secureConnecting === true);
  if (isPending) socket.once('encrypted' in socket ? 'secureConnect' : 'connect', callback);
  else callback();
}
