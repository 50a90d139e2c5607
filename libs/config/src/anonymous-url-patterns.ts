import { explorerClientOf } from './platform-settings.ts';

interface Settings {
  readonly platform: {
    readonly anonymousUrlPatterns: readonly string[];
    readonly resourceServerAnonymousUrlPatterns: readonly string[];
    readonly explorerClient: string | undefined;
    readonly consoleEnabled: boolean;
  };
  readonly paths: { readonly basePath: string; readonly docsPath: string };
}

/**
 * URL patterns that need no token: those of the settings, and the page of the explorer with its files if the explorer has
 * a client, because users log in on that page. Its document needs a token.
 */
export function anonymousUrlPatternsOf({ platform, paths }: Settings): readonly string[] {
  const configured = [...platform.anonymousUrlPatterns, ...platform.resourceServerAnonymousUrlPatterns];
  if (explorerClientOf(platform) === undefined) return configured;
  const page = `${paths.basePath}${paths.docsPath}`;
  return [...configured, page, `${page}/explorer/*`];
}
