import type { Paths } from '@lintel/client';

/** What the server says about itself in the page. */
export interface Settings {
  /** Id of the public client of the console. */
  readonly clientId: string;
  /** Address of the server, without a path at the end. */
  readonly server: string;
  /** Path of the console on its host, with slashes at both ends. */
  readonly basePath: string;
  /** Where the parts of the API are. */
  readonly paths: Paths | undefined;
  /** Paths of parts of the API that the client does not know. */
  readonly endpoints: Readonly<Record<string, string>>;
  /** Address of the module of the extension, relative to the page; undefined without one. */
  readonly extension: string | undefined;
}

const DEFAULT_CLIENT = 'lintel-console';

/** Reads the element `lintel-console` of the page; without members, everything is at its default location. */
export function readSettings(page: Document): Settings {
  const element = page.querySelector<HTMLMetaElement>('meta[name="lintel-console"]');
  const given = JSON.parse(element?.content || '{}') as Partial<Settings>;
  const base = new URL('.', page.baseURI);
  return {
    clientId: given.clientId ?? DEFAULT_CLIENT,
    server: (given.server ?? new URL('..', base).href).replace(/\/+$/, ''),
    basePath: base.pathname,
    paths: given.paths,
    endpoints: given.endpoints ?? {},
    extension: given.extension,
  };
}
