import { fileURLToPath } from 'node:url';

/** A running blog. */
export interface Blog {
  readonly url: string;
  stop(): Promise<unknown>;
}

const APPLICATION = fileURLToPath(new URL('blog-application.ts', import.meta.url));

/** Starts the blog in a process of its own. Its public client `spa` leads back to the given origins. */
export async function startBlog(origins: readonly string[]): Promise<Blog> {
  const tools = new URL('../../../tools/test/system.mjs', import.meta.url).href;
  const { startStandalone } = (await import(tools)) as {
    startStandalone(more: Readonly<Record<string, string>>): Promise<Blog>;
  };
  return startStandalone({
    SVC_APPLICATION: APPLICATION,
    SVC_AUTHSERVER_CLIENT_SPA_CLIENT_ID: 'spa',
    SVC_AUTHSERVER_CLIENT_SPA_CLIENT_AUTHENTICATION_METHODS: 'none',
    SVC_AUTHSERVER_CLIENT_SPA_GRANT_TYPES: 'authorization_code,refresh_token',
    SVC_AUTHSERVER_CLIENT_SPA_REDIRECT_URIS: origins
      .flatMap((origin) => [`${origin}/auth-callback`, `${origin}/`])
      .join(','),
  });
}
