import type { Client } from '@lintel/client';
import { createContext, useContext } from 'react';
import type { Model } from './model.ts';
import type { Rights } from './rights.ts';

const ModelContext = createContext<Model | undefined>(undefined);

/** Gives the page the model of the application. */
export const ModelProvider = ModelContext;

/** The application, as the user may see it. */
export function useModel(): Model {
  const model = useContext(ModelContext);
  if (model === undefined) throw new Error('There is no ModelProvider');
  return model;
}

/** What the user may do. */
export const useRights = (): Rights => useModel().rights;

/** The client of the API, with the login of the user. */
export const useClient = (): Client => useModel().client;
