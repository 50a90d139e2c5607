import { createContext, useContext } from 'react';
import type { Login } from './login.ts';

const LoginContext = createContext<Login | undefined>(undefined);

/** Gives the page the login of its user. */
export const LoginProvider = LoginContext;

/** The login of the user. */
export function useLogin(): Login {
  const login = useContext(LoginContext);
  if (login === undefined) throw new Error('There is no LoginProvider');
  return login;
}
