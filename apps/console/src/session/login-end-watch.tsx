import { lazy, Suspense, useEffect, useState } from 'react';
import { useLogin } from './login-provider.tsx';

const LoginEnded = lazy(async () => ({ default: (await import('./login-ended.tsx')).LoginEnded }));

/** Waits for the end of the login at the server. */
export function LoginEndWatch() {
  const login = useLogin();
  const [ends, setEnds] = useState(0);
  useEffect(() => login.onEnd(() => setEnds((count) => count + 1)), [login]);
  return ends === 0 ? null : (
    <Suspense fallback={null}>
      <LoginEnded key={ends} />
    </Suspense>
  );
}
