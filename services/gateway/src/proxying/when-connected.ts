import type { Socket } from 'node:net';

/** Calls back when the socket is connected: at once if it already is, never if it fails to connect. */
export function whenConnected(socket: Socket, callback: () => void): void {
  const isPending = socket.connecting || ('secureConnecting' in socket && socket.secureConnecting === true);
  if (isPending) socket.once('encrypted' in socket ? 'secureConnect' : 'connect', callback);
  else callback();
}
