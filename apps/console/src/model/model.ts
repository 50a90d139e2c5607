import type { Connection, TokenSource } from '@lintel/client';
import { type ApplicationModel, loadModel as loadApplicationModel } from '@lintel/react';
import { fetchWithReason } from '../reason/fetch-with-reason.ts';
import type { Settings } from '../settings.ts';

export { captionOf } from '@lintel/react';

/** The application as its metadata, messages and permissions describe it to the user, in the language of the page. */
export interface Model extends ApplicationModel {
  /** For requests that the client has no method for. */
  readonly connection: Connection;
  readonly settings: Settings;
  /** Seen as another user: the session only reads, and has no views of its own. */
  readonly isSeen?: true;
}

/** Reads what the console is made from. */
export async function loadModel(settings: Settings, token: TokenSource, locale: string): Promise<Model> {
  const { server: baseUrl, paths } = settings;
  const model = await loadApplicationModel(
    { baseUrl, token, locale, fetch: fetchWithReason },
    paths === undefined ? {} : { paths },
  );
  return { ...model, connection: model.client.connection, settings };
}
