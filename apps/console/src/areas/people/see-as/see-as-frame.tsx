import { lazy, type ReactNode, Suspense, useCallback, useMemo, useState } from 'react';
import type { Model } from '../../../context.ts';
import { ModelProvider } from '../../../model/model-provider.ts';
import type { SeeAsToken } from './request-token.ts';
import { type SeeAs, SeeAsContext } from './see-as-context.ts';

// A part of the first load: what only those use who see as another user is loaded for them.
const SeenConsole = lazy(async () => ({ default: (await import('./seen-console.tsx')).SeenConsole }));

interface SeeAsFrameProps {
  /** The application as the user of the login sees it. */
  readonly own: Model;
  readonly children: ReactNode;
}

/** Gives the console the model of its user, or of the user whose eyes are used. */
export function SeeAsFrame({ own, children }: SeeAsFrameProps) {
  const [token, setToken] = useState<SeeAsToken>();
  const seeAs = useMemo<SeeAs>(
    () => ({
      async begin(username) {
        const { requestToken } = await import('./request-token.ts');
        setToken(await requestToken(own, username));
      },
    }),
    [own],
  );
  const end = useCallback(() => setToken(undefined), []);
  return (
    <SeeAsContext value={seeAs}>
      {token === undefined ? (
        <ModelProvider value={own}>{children}</ModelProvider>
      ) : (
        <Suspense fallback={null}>
          <SeenConsole key={token.access_token} own={own} token={token} onEnd={end}>
            {children}
          </SeenConsole>
        </Suspense>
      )}
    </SeeAsContext>
  );
}
