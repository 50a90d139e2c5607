import './theme/kit-styles.ts';
import './theme/console.css';
import type { Login, LoginState } from '@lintel/react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { AREAS } from './areas.ts';
import { ConsoleApp } from './console-app.tsx';
import type { Settings } from './settings.ts';
import { createConsoleRouter } from './shell/create-router.tsx';
import { preloadPage } from './shell/preload-page.ts';
import { ThemeProvider } from './theme/theme-provider.tsx';

interface Started {
  readonly settings: Settings;
  readonly login: Login;
  readonly state: LoginState;
}

/** Data of a list is shown again without a request for so long. */
const FRESH_MS = 10_000;

/** Shows the console in the element. */
export function showConsole(element: HTMLElement | null, { settings, login, state }: Started): void {
  if (element === null) throw new Error('The page has no element for the console');
  const queries = new QueryClient({
    defaultOptions: {
      // The client of the API repeats requests itself, as often as it is safe.
      queries: { retry: false, staleTime: FRESH_MS, refetchOnWindowFocus: false },
      mutations: { retry: false },
    },
  });
  const refused = typeof state === 'object' ? state.refused : undefined;
  const router = createConsoleRouter(settings.basePath, AREAS);
  if (refused === undefined) preloadPage({ settings, login, queries, router, areas: AREAS });
  createRoot(element).render(
    <StrictMode>
      <ThemeProvider>
        <QueryClientProvider client={queries}>
          <ConsoleApp settings={settings} login={login} router={router} refused={refused} />
        </QueryClientProvider>
      </ThemeProvider>
    </StrictMode>,
  );
}
