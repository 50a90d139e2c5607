import { createContext, useContext, useEffect, useState } from 'react';
import type { Login } from './create-login.ts';

const LoginContext = createContext<Login | undefined>(undefined);

/** Gives the page the login of its user: `<LoginProvider value={login}>`. */
export const LoginProvider = LoginContext;

/** The login of the user. @throws Error without a `LoginProvider` */
export function useLogin(): Login {
  const login = useContext(LoginContext);
  if (login === undefined) throw new Error('There is no LoginProvider');
  return login;
}

/** How often the server has ended the login since the component was shown: above 0 the user has to log in again. */
export function useLoginEnds(): number {
  const login = useLogin();
  const [ends, setEnds] = useState(0);
  useEffect(() => login.onEnd(() => setEnds((count) => count + 1)), [login]);
  return ends;
}
