import { isStartError } from '@lintel/errors';

/** One line with the solution of a common start error; undefined for other errors. */
export function explain(error: unknown, port: number): string | undefined {
  if (isStartError(error)) return error.message;
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE')
    return `Port ${port} is taken: stop what listens there, or choose another one with "PORT=${port + 1} npm start".`;
  if (code === 'EACCES' && 'syscall' in error && error.syscall === 'listen')
    return `Port ${port} may not be opened by this user: choose one above 1023 with "PORT=8080 npm start".`;
  if (code === 'EACCES' || code === 'EROFS')
    return `${'path' in error ? String(error.path) : 'A folder'} cannot be written: check its owner, or choose another folder with "LINTEL_HOME=/some/folder npm start".`;
  if (code === 'ENOSPC') return 'The disk is full: make room, then start again.';
  return undefined;
}
