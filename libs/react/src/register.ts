import type { ApiTypes, CallTypes, Client, UntypedApi } from '@lintel/client';

/**
 * Where an application registers its types, which `lintel client` writes, so that all hooks know its entities, plans,
 * queries and services:
 *
 * ```ts
 * declare module '@lintel/react' {
 *   interface Register {
 *     api: Api;
 *   }
 * }
 * ```
 */
// biome-ignore lint/suspicious/noEmptyInterface: applications add their member
export interface Register {}

/** The registered types; without them every name is accepted. */
export type RegisteredApi = Register extends { readonly api: infer A extends ApiTypes } ? A : UntypedApi;

/** Name of an entity of the application. */
export type EntityName = keyof RegisteredApi['entities'] & string;

/** Name of a predefined query of an entity. */
export type QueryName<E extends EntityName> = keyof RegisteredApi['entities'][E]['queries'] & string;

/** The types of a query; narrowed, because a checker of the declarations cannot know the registered ones. */
export type QueryTypes<E extends EntityName, Q extends QueryName<E>> = Extract<
  RegisteredApi['entities'][E]['queries'][Q],
  CallTypes
>;

/** Name of a service of the application. */
export type ServiceName = keyof RegisteredApi['services'] & string;

/** Name of a method of a service. */
export type MethodName<S extends ServiceName> = keyof RegisteredApi['services'][S] & string;

/** The types of a service method. */
export type MethodTypes<S extends ServiceName, M extends MethodName<S>> = Extract<
  RegisteredApi['services'][S][M],
  CallTypes
>;

/** The client of the application. */
export type RegisteredClient = Client<RegisteredApi>;
