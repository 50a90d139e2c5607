import type { Client } from '@lintel/client';
import {
  LintelProvider,
  type Rights,
  useModel as useApplicationModel,
  useClient as useRegisteredClient,
} from '@lintel/react';
import type { Context } from 'react';
import { type Api, createApi } from './api.ts';
import type { Model } from './model.ts';

/** Gives the page the model of the application, also to the hooks of `@lintel/react`. */
export const ModelProvider = LintelProvider as unknown as Context<Model | undefined>;

/** The application, as the user may see it. */
export const useModel = (): Model => useApplicationModel() as Model;

/** What the user may do. */
export const useRights = (): Rights => useModel().rights;

/** Requests that the client has no methods for, with the login of the user. */
export const useApi = (): Api => createApi(useModel());

/** The client of the API, with the login of the user. */
export const useClient = (): Client => useRegisteredClient();
