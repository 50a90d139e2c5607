import { useLoginEnds } from '@lintel/react';
import { lazy, Suspense } from 'react';

const LoginEnded = lazy(async () => ({ default: (await import('./login-ended.tsx')).LoginEnded }));

/** Waits for the end of the login at the server. */
export function LoginEndWatch() {
  const ends = useLoginEnds();
  return ends === 0 ? null : (
    <Suspense fallback={null}>
      <LoginEnded key={ends} />
    </Suspense>
  );
}
