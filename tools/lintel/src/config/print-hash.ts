import { hashPassword } from '@lintel/passwords';
import type { Terminal } from '../terminal.ts';
import { readPassword } from '../user/read-password.ts';

/** Prints the hash of a secret for `svc.authserver.client.<name>.client-secret`. */
export async function printHash(terminal: Terminal): Promise<void> {
  terminal.print(await hashPassword(await readPassword('Secret of the client', undefined, terminal)));
}
