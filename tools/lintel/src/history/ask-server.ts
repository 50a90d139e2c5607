import { environment } from '@lintel/config/environment';
import { CommandError } from '../command-error.ts';
import { credentialsFile, readLogins } from '../login/credentials.ts';
import type { ServerOptions } from '../login/login.command.ts';
import { type SentRequest, send } from '../login/send.ts';
import { keyOf, serverOf } from '../login/server-of.ts';

/** Sends a request with the stored login, below `/rest`. */
export async function sendToServer(options: ServerOptions, request: SentRequest): Promise<Response> {
  const variables = environment();
  const file = credentialsFile(variables);
  const server = serverOf(options.server ?? variables['LINTEL_SERVER'], readLogins(file));
  return send(server, file, { ...request, path: `/rest${request.path}` });
}

/**
 * Sends a request with the stored login, and returns the body of its response.
 *
 * @throws CommandError without a login, and with the words of the server where it refuses
 */
export const askServer = async <T>(options: ServerOptions, request: SentRequest): Promise<T> =>
  JSON.parse(await textOfServer(options, request)) as T;

/** The same, with the text of the body. */
export async function textOfServer(options: ServerOptions, request: SentRequest): Promise<string> {
  const response = await sendToServer(options, request);
  const text = await response.text();
  if (response.ok) return text;
  const server = new URL(response.url);
  if (response.status === 401)
    throw new CommandError(`The login at ${keyOf(server)} has ended`, '"lintel login" logs in');
  if (response.status === 404 && text === '')
    throw new CommandError('It does not exist, or you may not see it', 'Compare the ids');
  const { error = `${keyOf(server)} responds with ${response.status}`, details = '' } = bodyOf(text);
  throw new CommandError([error, details].filter((part) => part !== '').join(': '), 'Nothing was changed');
}

function bodyOf(text: string): { readonly error?: string; readonly details?: string } {
  try {
    return JSON.parse(text) as object;
  } catch {
    return {};
  }
}
