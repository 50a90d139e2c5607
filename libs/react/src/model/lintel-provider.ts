import { createContext, useContext } from 'react';
import type { RegisteredClient } from '../register.ts';
import type { ApplicationModel } from './load-model.ts';
import type { Rights } from './rights.ts';

/** What the hooks work with: the client alone, or the model, which has a client. */
export type LintelContext = ApplicationModel | { readonly client: RegisteredClient };

const Context = createContext<LintelContext | undefined>(undefined);

/** Gives the page its client and model: `<LintelProvider value={model}>`, or `value={{ client }}` without a model. */
export const LintelProvider = Context;

function useLintel(): LintelContext {
  const context = useContext(Context);
  if (context === undefined) throw new Error('There is no LintelProvider');
  return context;
}

/** The client of the application, with the login of the user. @throws Error without a `LintelProvider` */
export const useClient = (): RegisteredClient => useLintel().client;

/** The application, as the user may see it. @throws Error if the `LintelProvider` has no model */
export function useModel(): ApplicationModel {
  const model = useModelOrNone();
  if (model === undefined) throw new Error('The LintelProvider has no model: pass what loadModel returns');
  return model;
}

/** The application, if the `LintelProvider` has a model. */
export function useModelOrNone(): ApplicationModel | undefined {
  const context = useLintel();
  return 'rights' in context ? context : undefined;
}

/** What the user may do. @throws Error if the `LintelProvider` has no model */
export const useRights = (): Rights => useModel().rights;
