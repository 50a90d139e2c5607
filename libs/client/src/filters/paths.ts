import type { ApiTypes, AttributeKind, InstanceOf, TypesOf } from '../model/api-types.ts';

/** The path of an attribute in a filter or sort: a value of the type `V`, which is compared as its kind `K` allows. */
export interface Path<V, K> {
  /** For the types alone: no value has this member. */
  readonly [TYPES]: readonly [V, K];
}
declare const TYPES: unique symbol;

/** The attributes of an entity as paths, through references, collections and embedded objects. */
export type Paths<A extends ApiTypes, N> = unknown extends TypesOf<A, N>['attributes']
  ? // biome-ignore lint/suspicious/noExplicitAny: nothing is known of it
    any
  : { readonly [K in keyof TypesOf<A, N>['attributes'] & string]: PathTo<A, N, K, TypesOf<A, N>['attributes'][K]> };

type PathTo<A extends ApiTypes, N, K, Kind> = Kind extends { readonly to: infer To }
  ? Path<IdOf<A, To>, 'plain'> & Paths<A, To>
  : Kind extends 'json'
    ? // biome-ignore lint/suspicious/noExplicitAny: any JSON value
      Path<any, never>
    : Path<ValueOf<InstanceOf<A, N>, K>, Extract<Kind, AttributeKind>>;

type ValueOf<I, K> = K extends keyof I ? Element<NonNullable<I[K]>> : never;
type Element<V> = V extends readonly (infer Item)[] ? Item : V;

/** A reference is compared by id, an embedded object by its attributes. */
type IdOf<A extends ApiTypes, To> =
  InstanceOf<A, To> extends { readonly id?: infer Id } ? NonNullable<Id> : Partial<InstanceOf<A, To>>;

const PATH = Symbol('path');

/** The paths of any entity: each member is one. */
export const pathsOf = <P>(path = ''): P =>
  new Proxy(
    {},
    {
      get: (_, name) =>
        name === PATH ? path : typeof name === 'string' ? pathsOf(path === '' ? name : `${path}.${name}`) : undefined,
    },
  ) as P;

/** The text of a path. */
export const textOfPath = (path: Path<unknown, unknown>): string => pathIn(path) ?? '';

/** The text of a value that is a path. */
export const pathIn = (value: unknown): string | undefined =>
  (value as { readonly [PATH]?: string } | null | undefined)?.[PATH];
